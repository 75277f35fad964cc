import type { Eventually } from '../apimachinery/eventually.ts';
import type { Result } from '../apimachinery/result.ts';
import type { AuthorizeNow } from '../auth/authorizer.ts';
import { decided } from '../auth/decisions.ts';
import type { AdmissionAttributes } from './attributes.ts';
import type { PluginAnswer, PluginPorts } from './plugin.ts';

/** Ports over which the authorizer answers at once. */
export type DecidingPorts = Omit<PluginPorts, 'authorize'> & { readonly authorize: AuthorizeNow };

/** A plugin that asks the authorizer, written as if that always answered at once; it must do nothing but decide. */
export const deciding =
  <T extends AdmissionAttributes>(
    decide: (request: T, ports: DecidingPorts) => Result<PluginAnswer>,
  ): ((request: T, ports: PluginPorts) => Eventually<Result<PluginAnswer>>) =>
  (request, ports) =>
    decided(ports.authorize, (authorize) => decide(request, { ...ports, authorize }));
