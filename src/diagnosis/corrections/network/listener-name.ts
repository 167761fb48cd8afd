import type { RuleInput } from '../../facts/input.ts';
import { quotedLine } from '../../facts/phrase.ts';
import { code } from '../../rendering/quote.ts';
import { type Given, givenIn, setTo } from '../given-values.ts';
import type { Meaning } from '../meaning.ts';
import { nearestName } from '../similar-names.ts';

const MAP = 'listener.security.protocol.map';

/** `KAFKA_CONTROLLER_LISTENER_NAMES` and `KAFKA_CFG_LISTENERS` are settings of Kafka (images `apache/kafka` and `bitnami/kafka`). */
function settingOf(given: Given[], key: string): Given | undefined {
  const end = key.replaceAll('.', '_').toUpperCase();
  return given.find(({ name, value }) => value !== '' && (name === `KAFKA_${end}` || name === `KAFKA_CFG_${end}`));
}

/** The names before the colons of a list: `PLAINTEXT` of `PLAINTEXT://:9092`. */
const namesIn = (list = ''): string[] => list.split(',').flatMap((one) => one.split(':', 1)[0]?.trim() || []);

/**
 * What it means that a setting of Kafka names a listener that `listeners` does not have, or that the map of protocols lacks a listener
 * (Apache Kafka, "Broker Configs"). `setting` is the setting that the line names, `unknown` the listener that the map lacks.
 */
export function listenerName(input: RuleInput, line: string, setting: string | undefined, unknown: string | undefined): Meaning {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const found = settingOf(given, setting ?? MAP);
  const names = setting === undefined ? namesIn(found?.value) : namesIn(settingOf(given, 'listeners')?.value);
  const wrong = setting === undefined ? (unknown ?? '') : (found?.value ?? '');
  const [near, ...more] = nearestName(wrong, names);
  const to = setting === undefined ? found?.value.replace(`${near}:`, `${wrong}:`) : near;
  return {
    because: `its settings do not agree on the names of the listeners: ${quotedLine(line)}`,
    culprit: `${setting ?? MAP}: ${wrong}`,
    advice: [`Write the same names into ${code('listeners')}, ${code(MAP)} and the settings that choose one of them.`],
    corrections:
      place && found && near !== undefined && more.length === 0 && to !== undefined
        ? [
            setTo(place, found, to, {
              why: `the listener is called ${code(setting === undefined ? wrong : near)}`,
              explanation: `${code(setting === undefined ? near : wrong)} looks like a slip of it.`,
            }),
          ]
        : [],
    whereToLook: "the container's variables with the listeners",
  };
}
