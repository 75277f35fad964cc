import { useEffect, useRef } from 'preact/hooks';

/** Loads again when the version changes. */
export function useReload(version: number, again: () => void): void {
  const known = useRef(version);
  useEffect(() => {
    if (version !== known.current) again();
    known.current = version;
  }, [version, again]);
}
