/** Why a path is refused. Values, not exceptions: a refusal is an answer to the model. */
export const PATH_REFUSAL_CODES = [
  'invalid_path', // empty, NUL, not Unicode, too long
  'outside_workspace',
  'protected_path', // `.git`, or a directory that the installation hides
  'not_found',
  'not_a_file',
  'not_a_directory',
  'already_exists',
  'symlink_loop',
  'permission_denied',
  'changed_meanwhile', // what was resolved is not what was opened
  'disk_full',
  'too_large',
  'io_error',
] as const;
export type PathRefusalCode = (typeof PATH_REFUSAL_CODES)[number];

export interface PathRefusal {
  readonly ok: false;
  readonly code: PathRefusalCode;
  readonly message: string;
}

export function refusePath(code: PathRefusalCode, message: string): PathRefusal {
  return { ok: false, code, message };
}

const CODE_BY_ERRNO: Readonly<Record<string, PathRefusalCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_a_directory',
  EISDIR: 'not_a_file',
  EEXIST: 'already_exists',
  ELOOP: 'symlink_loop',
  ENAMETOOLONG: 'invalid_path',
  EACCES: 'permission_denied',
  EPERM: 'permission_denied',
  EROFS: 'permission_denied',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};

/** The errno name of a thrown file system error; empty when it is none. */
export function errnoOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}

/**
 * @param subject how the path is called towards the reader; the error's own text is
 *   not used, since it names absolute paths and descriptors.
 */
export function refusalFromError(error: unknown, subject: string): PathRefusal {
  const errno = errnoOf(error);
  const code = CODE_BY_ERRNO[errno] ?? 'io_error';
  return refusePath(code, `${subject}: ${code.replaceAll('_', ' ')}${errno === '' ? '' : ` (${errno})`}`);
}
