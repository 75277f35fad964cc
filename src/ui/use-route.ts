import { useEffect, useState } from 'preact/hooks';

export type View = 'requests' | 'configurations' | 'coverage';

/** Where the page stands, kept in the address so that it can be gone back to. */
export interface Route {
  readonly view: View;
  /** Of the open request; '' when none is. */
  readonly id: string;
}

const views: readonly View[] = ['requests', 'configurations', 'coverage'];

export function routeOf(hash: string): Route {
  const [name = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  const view = views.find((one) => one === name) ?? 'requests';
  try {
    return { view, id: view === 'requests' ? decodeURIComponent(id) : '' };
  } catch {
    return { view, id: '' };
  }
}

export const hashOf = ({ view, id }: Route): string => `#/${view}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;

/** The route, and how to go elsewhere; moving from request to request leaves no trail in the history. */
export function useRoute(): readonly [Route, (next: Route) => void] {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(routeOf(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const go = (next: Route): void => {
    const replaces = next.view === route.view && next.id !== '' && route.id !== '';
    history[replaces ? 'replaceState' : 'pushState'](null, '', hashOf(next));
    setRoute(next);
  };
  return [route, go];
}
