import { useSyncExternalStore } from 'react';

const NAME = 'assay-theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const listeners = new Set<() => void>();

function readTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? 'system';
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

show(readTheme());

export function setTheme(theme: Theme): void {
  localStorage.setItem(NAME, theme);
  show(theme);
  for (const changed of listeners) changed();
}

/** Light, dark, or as the system has it. */
export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, readTheme);
}

export { THEMES };
