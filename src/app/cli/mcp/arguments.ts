import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';

/** '' when it is absent. */
export const argumentText = (args: JsonObject, name: string): string => asString(args[name]);

export const isArgumentOn = (args: JsonObject, name: string): boolean => args[name] === true;

export const argumentTexts = (args: JsonObject, name: string): readonly string[] => asList(args[name]).map(asString);

export const argumentTextMap = (args: JsonObject, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(asObject(args[name])).map(([key, value]) => [key, asString(value)]));
