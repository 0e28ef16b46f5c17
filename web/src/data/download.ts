import { useMutation } from '@tanstack/react-query';
import type { Input, OperationName } from '../../../client/src/operation.ts';
import { saveFile } from './save-file.ts';
import { service } from './service.ts';

/** `useDownload('GET ...').mutate({ input, fileName })`: saves a reply as a file; the key stays in the header. */
export function useDownload<Name extends Extract<OperationName, `GET ${string}`>>(name: Name) {
  return useMutation({
    mutationFn: async ({ input, fileName }: { readonly input: Input<Name>; readonly fileName: string }) => {
      const reply = await service().fetch(name, input);
      saveFile(await reply.blob(), fileName);
    },
  });
}
