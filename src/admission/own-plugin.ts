import { errorText } from '../apimachinery/error-text.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { internalError } from '../apimachinery/status.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import { newForbidden } from './forbidden.ts';
import type { CompiledInPlugin, Decide, PluginAnswer } from './plugin.ts';

/** A plugin of the user's own, the default export of `kadmit serve --plugin FILE.mjs`. */
export interface OwnPlugin {
  readonly name: string;
  /** Create and update unless something else is said. */
  readonly operations?: readonly Operation[];
  /** The plugin that it runs before, or after; without either it runs before ResourceQuota. */
  readonly before?: string;
  readonly after?: string;
  /** May change `request.object`. */
  readonly mutate?: (request: OwnRequest) => void | Promise<void>;
  readonly validate?: (request: OwnRequest) => void | Promise<void>;
}

/** The request, with an object of its own, and what the plugin may say to it. */
export interface OwnRequest extends AdmissionAttributes {
  /** Ends the request with 403. */
  readonly deny: (message: string) => never;
  readonly warn: (text: string) => void;
}

class Denial extends Error {}

/** The plugin as the chain takes it: what it throws is a 500 that names it. */
export function ownInChain({ name, operations = ['CREATE', 'UPDATE'], mutate, validate }: OwnPlugin): CompiledInPlugin {
  return {
    name,
    operations,
    ...(mutate && { mutate: deciding(name, mutate) }),
    ...(validate && { validate: deciding(name, validate) }),
  };
}

function deciding(name: string, act: NonNullable<OwnPlugin['mutate']>): Decide {
  return async (request): Promise<Result<PluginAnswer>> => {
    const warnings: string[] = [];
    const object = structuredClone(request.object);
    const deny = (message: string): never => {
      throw new Denial(message);
    };
    try {
      await act({ ...request, object, deny, warn: (text) => void warnings.push(text) });
    } catch (error) {
      if (error instanceof Denial) return refuse(newForbidden(request, error.message));
      return refuse(internalError(`admission plugin "${name}" failed: ${errorText(error)}`));
    }
    const isSame = JSON.stringify(object, asText) === JSON.stringify(request.object, asText);
    return ok({ object: isSame ? request.object : object, warnings });
  };
}

const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** The names in order, with those of own plugins where they want to be. */
export function placedAmong(names: readonly string[], own: readonly OwnPlugin[]): readonly string[] {
  const order = [...names];
  for (const { name, before, after } of own) {
    const anchor = order.indexOf(before ?? after ?? 'ResourceQuota');
    order.splice(anchor < 0 ? order.length : anchor + (after === undefined || before !== undefined ? 0 : 1), 0, name);
  }
  return order;
}
