/** Why a YAML text is refused. */
export class YamlFault extends Error {}
