import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff';

test('lines have their numbers and signs', () => {
  const [file] = parseDiff('--- a/src/x.mjs\n+++ b/src/x.mjs\n@@ -3,3 +3,3 @@ fn\n a\n-b\n+c\n d\n');
  expect(file).toMatchObject({ path: 'src/x.mjs', change: 'modified', added: 1, removed: 1 });
  expect(file?.hunks[0]?.lines).toEqual([
    { kind: 'same', text: 'a', oldNumber: 3, newNumber: 3 },
    { kind: 'removed', text: 'b', oldNumber: 4, newNumber: null },
    { kind: 'added', text: 'c', oldNumber: null, newNumber: 4 },
    { kind: 'same', text: 'd', oldNumber: 5, newNumber: 5 },
  ]);
});

test('a removed line that looks like a header is a removed line', () => {
  const files = parseDiff('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- comment\n keep\n');
  expect(files).toHaveLength(1);
  expect(files[0]?.hunks[0]?.lines[0]).toMatchObject({ kind: 'removed', text: '-- comment' });
});

test('new, deleted and several files of git', () => {
  const files = parseDiff(
    [
      'diff --git a/new.txt b/new.txt', 'new file mode 100644', 'index 000..111', '--- /dev/null', '+++ b/new.txt', '@@ -0,0 +1 @@', '+one',
      'diff --git a/gone.txt b/gone.txt', 'deleted file mode 100644', '--- a/gone.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-one',
      'diff --git a/pic.png b/pic.png', 'index 1..2', 'Binary files a/pic.png and b/pic.png differ',
    ].join('\n'),
  );
  expect(files.map(({ path, change, added, removed }) => [path, change, added, removed])).toEqual([
    ['new.txt', 'added', 1, 0],
    ['gone.txt', 'removed', 0, 1],
    ['pic.png', 'modified', 0, 0],
  ]);
  expect(files[2]?.hunks[0]?.lines[0]?.text).toBe('Binary files a/pic.png and b/pic.png differ');
});

test('names that git quotes are read', () => {
  const [file] = parseDiff('--- /dev/null\n+++ "b/invoice\\342\\200\\256f\\"dp.exe"\n@@ -0,0 +1 @@\n+x\n');
  expect(file?.path).toBe('invoice\u202Ef"dp.exe');
});

test('what is no diff is shown as it is', () => {
  expect(parseDiff('hello')[0]?.hunks[0]?.lines).toEqual([{ kind: 'note', text: 'hello', oldNumber: null, newNumber: null }]);
  expect(parseDiff('')).toEqual([]);
});
