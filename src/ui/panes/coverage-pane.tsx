import type { PageSource } from '../page-source.ts';

export const CoveragePane = ({ source }: { readonly source: PageSource; readonly version: unknown }) => (
  <p>{source.title}</p>
);
