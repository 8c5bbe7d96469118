import { defineConfig } from 'prisma/config';

/**
 * Read by `prisma generate` only (`--config prisma/prisma.config.ts`): migrations
 * are applied by lib/store/migrate, so no database address is needed here.
 */
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
});
