import { useEffect, useRef } from 'preact/hooks';

/** Loads again when the version changes. */
export function useAgain(version: number, again: () => void): void {
  const known = useRef(version);
  useEffect(() => {
    if (version !== known.current) again();
    known.current = version;
  }, [version, again]);
}
