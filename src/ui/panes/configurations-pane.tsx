import type { PageSource } from '../page-source.ts';

export const ConfigurationsPane = ({ source }: { readonly source: PageSource; readonly version: unknown }) => (
  <p>{source.title}</p>
);
