/** Vite collects the imported styles. */
declare module '*.css';

/** Vite replaces the call by the files that match. */
interface ImportMeta {
  readonly glob: (
    pattern: string,
    options: { readonly query: '?raw'; readonly import: 'default'; readonly eager: true },
  ) => Readonly<Record<string, string>>;
}
