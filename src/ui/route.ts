export type View = 'requests' | 'chain' | 'budget' | 'configurations' | 'coverage';

/** The route is in the address, so that Back works. */
export interface PageRoute {
  readonly view: View;
  /** Of the open request; '': none. */
  readonly id: string;
}

const views: readonly View[] = ['requests', 'chain', 'budget', 'configurations', 'coverage'];

export function parseRoute(hash: string): PageRoute {
  const [name = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  const view = views.find((one) => one === name) ?? 'requests';
  try {
    return { view, id: view === 'requests' ? decodeURIComponent(id) : '' };
  } catch {
    return { view, id: '' };
  }
}

export const routeHash = ({ view, id }: PageRoute): string =>
  `#/${view}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
