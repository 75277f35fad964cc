import { useEffect, useState } from 'preact/hooks';
import { hashOf, type PageRoute, routeOf } from './route.ts';

/** The route and a function to change it; moving between requests adds nothing to the history. */
export function useRoute(): readonly [PageRoute, (next: PageRoute) => void] {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(routeOf(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const go = (next: PageRoute): void => {
    const replaces = next.view === route.view && next.id !== '' && route.id !== '';
    history[replaces ? 'replaceState' : 'pushState'](null, '', hashOf(next));
    setRoute(next);
  };
  return [route, go];
}
