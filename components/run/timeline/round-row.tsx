/** Where a round begins. */
export function RoundRow({ number }: { readonly number: number | null }) {
  return (
    <h3 className="flex items-center gap-3 pt-4 pb-1">
      <span className="scale-label">{number === null ? 'Round' : `Round ${number}`}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </h3>
  );
}
