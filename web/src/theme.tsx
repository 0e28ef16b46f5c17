import { useEffect, useState } from 'react';

const NAME = 'assay-theme';
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;
type Theme = keyof typeof NEXT;

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem(NAME);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  });
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem(NAME, theme);
  }, [theme]);
  return (
    <button type="button" className="small" onClick={() => setTheme(NEXT[theme])}>
      Theme: {theme}
    </button>
  );
}
