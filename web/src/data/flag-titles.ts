import { useQuery } from '@tanstack/react-query';
import { words } from '../format.ts';
import type { Methodology } from '../types.ts';
import { read } from './service.ts';

/** The methodology in force, read once: it changes with a release. */
export function useMethodology() {
  return useQuery({
    ...read('GET /v1/methodology'),
    staleTime: 3_600_000,
    select: (reply) => reply as unknown as Methodology,
  });
}

/** `const titleOf = useFlagTitles()`: a flag as the methodology titles it; one of an older methodology by its code in words. */
export function useFlagTitles(): (code: string) => string {
  const { data } = useMethodology();
  return (code) => data?.flags.find((flag) => flag.code === code)?.title ?? words(code);
}
