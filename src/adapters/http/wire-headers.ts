/** Node wants its lists writable. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
