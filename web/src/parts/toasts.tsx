import { Toast } from 'radix-ui';
import type { Notice } from './toast.tsx';

/** Confirmations of actions, shown at the corner of the page and read out. */
export function Toasts({
  told,
  onForget,
}: {
  readonly told: readonly Notice[];
  readonly onForget: (id: number) => void;
}) {
  return (
    <Toast.Provider duration={6_000}>
      {told.map(({ id, words }) => (
        <Toast.Root key={id} className="toast" onOpenChange={() => onForget(id)}>
          <Toast.Description>{words}</Toast.Description>
          <Toast.Close className="button">Close</Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  );
}
