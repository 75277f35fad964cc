import {
  validateText,
  validatePortNum,
  validateRequiredEnum,
  validatePortNumOrName,
  validateTextPointer,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { duplicate, forbiddenField, required } from '../../../machinery/meta/field-error.ts';
import { asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Label, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { ServicePort } from '../../types/generated/core-v1.ts';
import { protocols } from './containers.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidateService. */
export function validateServicePorts(ports: readonly ServicePort[]): FieldErrors {
  const names = new Set<string>();
  return each(ports, 'spec.ports', (item, at) => {
    const name = asString(item.name);
    const isRepeated = name !== '' && isDuplicate(names, name);
    return [
      ...(name === ''
        ? errorIf(ports.length > 1, () => required(`${at}.name`, ''))
        : validateText(dns1123Label, `${at}.name`, name)),
      ...errorIf(isRepeated, () => duplicate(`${at}.name`, name)),
      ...validatePortNum(`${at}.port`, Number(item.port ?? 0)),
      ...validateRequiredEnum(`${at}.protocol`, item.protocol, protocols),
      ...validatePortNumOrName(`${at}.targetPort`, item.targetPort),
      ...validateTextPointer(qualifiedNameErrors, `${at}.appProtocol`, item.appProtocol),
    ];
  });
}

/** Node ports and ports are unique per protocol. */
export function validateUniquePorts(ports: readonly ServicePort[], type: string): FieldErrors {
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  return [
    ...each(type === 'ClusterIP' ? ports : [], 'spec.ports', ({ nodePort = 0 }, at) =>
      errorIf(nodePort !== 0, () => forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'")),
    ),
    ...each(ports, 'spec.ports', ({ protocol, nodePort = 0 }, at) =>
      errorIf(nodePort !== 0 && isDuplicate(nodePorts, `${asString(protocol)}/${Number(nodePort)}`), () =>
        duplicate(`${at}.nodePort`, nodePort),
      ),
    ),
    ...each(ports, 'spec.ports', ({ protocol, port: number = 0 }, at) =>
      errorIf(isDuplicate(numbers, `${asString(protocol)}/${Number(number)}`), () =>
        duplicate(at, formatPort(protocol, number)),
      ),
    ),
  ];
}

/** Upstream prints the internal struct, without JSON names. */
const formatPort = (protocol: JsonValue | undefined, number: JsonValue): JsonObject => ({
  Name: '',
  Protocol: protocol ?? '',
  AppProtocol: null,
  Port: number,
  TargetPort: 0,
  NodePort: 0,
});
