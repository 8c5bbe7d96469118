/**
 * Workspace-relative paths as events name them: `/` between, no `.`, no leading `./`.
 * Pure text; links are the tools' concern. An absolute path stays absolute, since
 * `/etc/hosts` is not the workspace's `etc/hosts`.
 */
export function normalisePath(path: string): string {
  const parts: string[] = [];
  const slashed = path.replaceAll('\\', '/');
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else parts.push(part);
  }
  return (slashed.startsWith('/') ? '/' : '') + parts.join('/');
}
