-- Signing in: by a link that works once, by another party's word, and not too often.
-- With it what a session's clone starts from, and the diff that a run leaves behind.

-- One address is one person, however it is typed.
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_email_check" CHECK ("email" = lower(btrim("email")) AND "email" LIKE '%_@_%');

-- A session's clone stands at this branch, tag or commit; NULL is the repository's own default.
ALTER TABLE "session" ADD COLUMN "git_ref" TEXT;

-- A link that signs its person in, once.
CREATE TABLE "sign_in_link" (
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    -- The digest is the key, so that using it is one UPDATE that one of many can win.
    CONSTRAINT "sign_in_link_pkey" PRIMARY KEY ("hash"),
    -- Only a digest is ever stored (64 hex digits): a link in clear does not fit.
    CONSTRAINT "sign_in_link_hash_check" CHECK ("hash" ~ '^[0-9a-f]{64}$'),
    CONSTRAINT "sign_in_link_expiry_check" CHECK ("expires_at" > "created_at")
);

-- Who somebody is for an OpenID provider: its own identifier, never an e-mail address,
-- which may be given to another person.
CREATE TABLE "linked_account" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "linked_account_pkey" PRIMARY KEY ("issuer", "subject")
);

-- Attempts to sign in, counted before they are made, by account and by address. In the
-- database, so that a restart gives nobody new ones and all web processes count together.
-- Rows whose window is over are deleted by those who come later.
CREATE TABLE "sign_in_attempt" (
    -- A digest: what somebody typed as an account may be a password.
    "key" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "sign_in_attempt_count_check" CHECK ("attempts" >= 0)
);

-- What a run had changed in its workspace when it ended or was let go, against the
-- start of its turn. An aside: without foreign keys, it waits for nobody and nobody for it.
CREATE TABLE "run_diff" (
    "run_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    -- NULL: it could not be told.
    "text" TEXT,
    "truncated" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_diff_pkey" PRIMARY KEY ("run_id"),
    CONSTRAINT "run_diff_size_check" CHECK (octet_length("text") <= 2097152)
);

CREATE INDEX "sign_in_link_user_id_idx" ON "sign_in_link"("user_id");
CREATE INDEX "linked_account_user_id_idx" ON "linked_account"("user_id");
CREATE INDEX "sign_in_attempt_since_idx" ON "sign_in_attempt"("since");

ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "linked_account" ADD CONSTRAINT "linked_account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
