import { Folder, FolderGit2, type LucideIcon } from 'lucide-react';
import { Monospace } from '../text/monospace';
import { classNames } from '../ui/class-names';
import { Field } from '../ui/field';
import { TextInput } from '../ui/text-input';
import type { DraftErrors, DraftField, RunDraft } from './run-draft';

interface WorkspaceFieldsProps {
  readonly draft: RunDraft;
  readonly errors: DraftErrors;
  readonly roots: readonly string[];
  readonly set: <F extends DraftField>(field: F, value: RunDraft[F]) => void;
}

const PLACES: readonly { readonly value: RunDraft['place']; readonly icon: LucideIcon; readonly label: string; readonly meaning: string }[] = [
  { value: 'directory', icon: Folder, label: 'A directory', meaning: 'the agent works in it as it is' },
  { value: 'git', icon: FolderGit2, label: 'A git repository', meaning: 'cloned anew for this session' },
];

/** Where the tools act. */
export function WorkspaceFields({ draft, errors, roots, set }: WorkspaceFieldsProps) {
  return (
    <div className="grid gap-4">
      <fieldset>
        <legend className="sr-only">Kind of workspace</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {PLACES.map(({ value, icon: Icon, label, meaning }) => (
            <label
              key={value}
              className={classNames(
                'flex cursor-pointer items-center gap-3 rounded-md border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                draft.place === value ? 'border-accent bg-accent-soft' : 'border-line-strong/60 hover:bg-sunken',
              )}
            >
              <input type="radio" name="place" value={value} checked={draft.place === value} onChange={() => set('place', value)} className="accent-accent" />
              <Icon aria-hidden className="size-4 text-ink-soft" />
              <span className="min-w-0">
                <span className="block text-sm font-medium text-ink">{label}</span>
                <span className="block text-xs text-ink-soft">{meaning}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {draft.place === 'directory' ? (
        <Field
          id="directory"
          label="Directory"
          hint={
            <>
              An absolute path within {roots.length === 1 ? '' : 'one of '}
              {roots.map((root, index) => (
                <span key={root}>
                  {index > 0 ? ', ' : ''}
                  <Monospace text={root} />
                </span>
              ))}
              .
            </>
          }
          error={errors.directory}
        >
          {(ids) => (
            <TextInput {...ids} name="directory" className="font-mono" spellCheck={false} autoComplete="off" placeholder={`${roots[0] ?? ''}/…`} value={draft.directory} onChange={(event) => set('directory', event.target.value)} />
          )}
        </Field>
      ) : (
        <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <Field id="git" label="Repository" hint="An http(s) address, or the path of a repository where workspaces may lie." error={errors.git}>
            {(ids) => <TextInput {...ids} name="git" className="font-mono" spellCheck={false} autoComplete="off" value={draft.git} onChange={(event) => set('git', event.target.value)} />}
          </Field>
          <Field id="ref" label="Branch, tag or commit" aside="optional" hint="Empty means the repository’s default." error={errors.ref}>
            {(ids) => <TextInput {...ids} name="ref" className="font-mono" spellCheck={false} autoComplete="off" value={draft.ref} onChange={(event) => set('ref', event.target.value)} />}
          </Field>
        </div>
      )}
    </div>
  );
}
