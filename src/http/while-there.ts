import type { Pause } from '../apimachinery/pause.ts';
import type { ApiRequest } from '../request/api-request.ts';

/** The request's pause, which throws once its client has gone: nothing more is made for nobody. */
export function whileThere({ pause, signal }: Pick<ApiRequest, 'pause' | 'signal'>): Pause | undefined {
  if (pause === undefined) return undefined;
  const goOn = (): Promise<void> | undefined => {
    if (signal.aborted) throw new Error('the client has gone');
    return pause();
  };
  return Object.assign(goOn, pause.now && { now: pause.now });
}
