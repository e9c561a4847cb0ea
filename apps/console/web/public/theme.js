// Runs before anything is drawn, so that no wrong theme is seen first. A file of its own: the policy allows no inline
// script. `app/preferences.ts` writes what is read here, checks it, and follows its changes.
try {
  const { theme } = JSON.parse(localStorage.getItem('svc.console.preferences') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the theme of the system.
}

// The first format of a language takes tens of milliseconds. It is made while the script of the application is loaded.
setTimeout(() => new Intl.NumberFormat('en-US', { notation: 'compact' }));
setTimeout(() => new Intl.DateTimeFormat('en-GB'));
