/** For those who cannot see the skeletons. */
export function LoadingStatus({ what }: { readonly what: string }) {
  return (
    <p role="status" className="sr-only">
      Loading {what} …
    </p>
  );
}
