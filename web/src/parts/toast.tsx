import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';

const ShowToast = createContext<(words: string) => void>(() => undefined);
const Toasts = lazy(() => import('./toasts.tsx').then(({ Toasts }) => ({ default: Toasts })));

/** `const tell = useToast(); tell('The webhook was sent a test.')` */
export function useToast(): (words: string) => void {
  return useContext(ShowToast);
}

export interface Notice {
  readonly id: number;
  readonly words: string;
}

export function ToastHost({ children }: { readonly children: ReactNode }) {
  const [told, setTold] = useState<readonly Notice[]>([]);
  const tell = useCallback(
    (words: string) => setTold((before) => [...before, { id: Date.now(), words }].slice(-3)),
    [],
  );
  const forget = useCallback((id: number) => setTold((all) => all.filter((one) => one.id !== id)), []);
  return (
    <ShowToast value={tell}>
      {children}
      {told.length > 0 && (
        <Suspense>
          <Toasts told={told} onForget={forget} />
        </Suspense>
      )}
    </ShowToast>
  );
}
