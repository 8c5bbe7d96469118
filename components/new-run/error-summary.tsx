'use client';
import { useEffect, useRef } from 'react';
import type { ApiProblem } from '../api/call-api';
import { Notice } from '../ui/notice';
import { FIELD_NAMES, type DraftErrors, type DraftField } from './run-draft';

interface ErrorSummaryProps {
  readonly errors: DraftErrors;
  readonly problem: ApiProblem | null;
}

/** What stands in the way, on top of the form, with the focus: from here each field is one step away. */
export function ErrorSummary({ errors, problem }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const fields = Object.entries(errors) as readonly [DraftField, string][];
  useEffect(() => {
    box.current?.focus();
  }, [errors, problem]);
  if (fields.length === 0 && problem === null) return null;
  return (
    <Notice ref={box} tabIndex={-1} role="alert" tone="bad" title={fields.length > 0 ? 'Nothing was submitted yet' : (problem?.title ?? '')}>
      {fields.length === 0 ? (
        problem?.detail
      ) : (
        <ul className="mt-1 list-disc pl-4">
          {fields.map(([field, message]) => (
            <li key={field}>
              <a href={`#${field}`} className="text-accent underline underline-offset-2">
                {FIELD_NAMES[field]}
              </a>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
