'use client';
import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '../ui/button';
import { TextInput } from '../ui/text-input';
import { Select } from '../ui/select';
import { STATUS_FILTERS, type StatusFilter } from './status-filter';

interface RunFiltersProps {
  readonly status: StatusFilter;
  readonly q: string;
  readonly mine: boolean;
}

/** A plain GET form: the address holds what is asked, with JavaScript and without. */
export function RunFilters({ status, q, mine }: RunFiltersProps) {
  const router = useRouter();
  const [busy, start] = useTransition();
  const apply = (form: HTMLFormElement): void => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string' && value !== '' && value !== 'all') query.set(name, value);
    start(() => router.push(query.size === 0 ? '/runs' : `/runs?${query.toString()}`));
  };
  return (
    <form
      action="/runs"
      role="search"
      aria-label="Runs"
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <div className="relative min-w-0 flex-1 basis-56 sm:max-w-80">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-faint" />
        <TextInput type="search" name="q" aria-label="Text of the task" placeholder="Text of the task" defaultValue={q} key={q} maxLength={200} className="pl-8" />
      </div>
      <Select
        name="status"
        aria-label="Status"
        defaultValue={status}
        key={status}
        className="w-44"
        onChange={(event) => event.currentTarget.form !== null && apply(event.currentTarget.form)}
      >
        {STATUS_FILTERS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <label className="flex h-9 items-center gap-2 rounded-md px-1 text-sm text-ink">
        <input
          type="checkbox"
          name="mine"
          value="1"
          defaultChecked={mine}
          key={String(mine)}
          className="size-4 accent-accent"
          onChange={(event) => event.currentTarget.form !== null && apply(event.currentTarget.form)}
        />
        Mine
      </label>
      <Button type="submit" busy={busy}>
        Find
      </Button>
    </form>
  );
}
