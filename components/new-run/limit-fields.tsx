import { Field } from '../ui/field';
import { TextInput } from '../ui/text-input';
import { FIELD_NAMES, type DraftErrors, type DraftField, type RunDraft } from './run-draft';

interface LimitFieldsProps {
  readonly draft: RunDraft;
  readonly errors: DraftErrors;
  readonly set: <F extends DraftField>(field: F, value: RunDraft[F]) => void;
}

const FIELDS = ['rounds', 'toolCalls', 'minutes', 'tokens', 'usd'] as const;

export function LimitFields({ draft, errors, set }: LimitFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-4 sm:grid-cols-5">
      {FIELDS.map((field) => (
        <Field key={field} id={field} label={FIELD_NAMES[field]} error={errors[field]}>
          {(ids) => (
            <TextInput {...ids} name={field} inputMode="decimal" autoComplete="off" placeholder="none" value={draft[field]} onChange={(event) => set(field, event.target.value)} />
          )}
        </Field>
      ))}
    </div>
  );
}
