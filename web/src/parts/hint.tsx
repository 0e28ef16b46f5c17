import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from './button.tsx';

const Tip = lazy(() => import('./tip.tsx').then(({ Tip }) => ({ default: Tip })));

/** A short text about the element under the pointer or with the focus. The library that draws it is loaded on first use. */
export function Hint({ words, children }: { readonly words: ReactNode; readonly children: ReactNode }) {
  const [wanted, setWanted] = useState<'pointer' | 'focus' | null>(null);
  const plain = (
    <Button className="hinted" onPointerEnter={() => setWanted('pointer')} onFocus={() => setWanted('focus')}>
      {children}
    </Button>
  );
  return wanted === null ? (
    plain
  ) : (
    <Suspense fallback={plain}>
      <Tip words={words} hasFocus={wanted === 'focus'}>
        {children}
      </Tip>
    </Suspense>
  );
}
