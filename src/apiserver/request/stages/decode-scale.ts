import { refuse } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { checkVersion } from './check-identity.ts';
import { decodeBody } from './decode-body.ts';

/**
 * The body of PUT X/scale. For custom resources a scheme without Scale produces the errors. Follows
 * apiextensions-apiserver pkg/apiserver/customresource_handler.go and apiserver pkg/endpoints/handlers/rest.go
 * transformDecodeError.
 */
export const decodeScale = (rooms: Rooms): Stage => {
  const decode = decodeBody(rooms);
  return {
    name: decode.name,
    run: async (exchange) => {
      const decoded = await decode.run(exchange);
      if (!isCustomRow(held(exchange.target, 'target').resource)) return decoded;
      const checked = decoded.ok ? await checkVersion.run(decoded.value) : decoded;
      return checked.ok || checked.status.code !== 400 ? checked : refuse(badRequest(noScale));
    },
  };
};

const noScale =
  'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"';
