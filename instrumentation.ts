/** Next calls this once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const [{ watchIncoming }, { installShutdown }, { closeWebSystem }, { closeAllStreams }] = await Promise.all([
    import('./lib/http/watch-incoming'),
    import('./lib/http/shutdown'),
    import('./lib/http/web-system'),
    import('./lib/live/open-streams'),
  ]);
  watchIncoming();
  installShutdown({ closeStreams: closeAllStreams, closeSystem: closeWebSystem, exit: (code) => process.exit(code) });
}
