import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { Button } from './button.tsx';

/** The evidence of a number. Pass what is known: the drawer reads the archived replies of `job` by their ids. */
export interface Receipt {
  readonly title: string;
  /** The number as it was shown, with its unit. */
  readonly value: ReactNode;
  /** Its derivation, in a sentence or two. */
  readonly how?: ReactNode;
  readonly observations?: readonly {
    readonly source: string;
    readonly value: ReactNode;
    readonly accepted: boolean;
    /** Why it was rejected. */
    readonly reason?: string | null;
    /** Id of the archived reply. */
    readonly evidence: string | null;
  }[];
  readonly job?: string | null;
}

const Open = createContext<(receipt: Receipt) => void>(() => undefined);
const Drawer = lazy(() => import('./receipt-drawer.tsx').then(({ ReceiptDrawer }) => ({ default: ReceiptDrawer })));

/** `const open = useReceipt(); open({ title: 'Sell depth', value: '5.9 M', observations, job })` */
export function useReceipt(): (receipt: Receipt) => void {
  return useContext(Open);
}

export function ReceiptHost({ children }: { readonly children: ReactNode }) {
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  return (
    <Open value={setReceipt}>
      {children}
      {receipt && (
        <Suspense>
          <Drawer receipt={receipt} onClose={() => setReceipt(null)} />
        </Suspense>
      )}
    </Open>
  );
}

/** A number that opens its receipt. */
export function WithReceipt({ receipt, children }: { readonly receipt: Receipt; readonly children: ReactNode }) {
  const open = useReceipt();
  return (
    <Button className="receipted" onClick={() => open(receipt)} title={`Receipt: ${receipt.title}`}>
      {children}
    </Button>
  );
}
