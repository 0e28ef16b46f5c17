import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const Tell = createContext<(words: string) => void>(() => undefined);

/** `const tell = useToast(); tell('The webhook was sent a test.')` */
export function useToast(): (words: string) => void {
  return useContext(Tell);
}

export function ToastHost({ children }: { readonly children: ReactNode }) {
  const [told, setTold] = useState<readonly { readonly id: number; readonly words: string }[]>([]);
  const tell = useCallback(
    (words: string) => setTold((before) => [...before, { id: Date.now(), words }].slice(-3)),
    [],
  );
  return (
    <Tell value={tell}>
      <Toast.Provider duration={6_000}>
        {children}
        {told.map(({ id, words }) => (
          <Toast.Root
            key={id}
            className="toast"
            onOpenChange={() => setTold((all) => all.filter((one) => one.id !== id))}
          >
            <Toast.Description>{words}</Toast.Description>
            <Toast.Close className="button">Close</Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts" />
      </Toast.Provider>
    </Tell>
  );
}
