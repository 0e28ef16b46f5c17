/** Any value that JSON can carry. Evidence holds nothing else, so that an archive replays the same on another machine. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
