const POLL_MS = 100;

/** Whether the web server answered its readiness check in time. */
export async function waitUntilReady(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && !signal.aborted) {
    const ready = await fetch(`${url}/api/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
