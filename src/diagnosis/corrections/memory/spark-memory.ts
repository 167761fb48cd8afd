import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { allGivenIn, givenIn, setTo } from '../given-values.ts';

/** The memory that Spark gives a driver or executor by itself (Apache Spark, "Configuration"). */
const USUAL = '1g';

/** For a driver or executor of Spark with less memory than it starts with: the option with the usual size. `whose` is `driver` or `executor`. */
export function sparkMemory(input: RuleInput, whose: string): { name: string; correction: Correction } | undefined {
  const place = input.place();
  const names = [`--${whose}-memory`, `SPARK_${whose.toUpperCase()}_MEMORY`];
  const given = place ? [...givenIn(place), ...allGivenIn(place)] : [];
  const option = `spark.${whose}.memory=`;
  const found =
    given.find(({ name, value }) => names.includes(name) && /^\d/.test(value)) ??
    given.find(({ name, value }) => name === '--conf' && value.startsWith(option));
  if (!place || !found) return undefined;
  const [prefix, is] = found.value.startsWith(option) ? [option, found.value.slice(option.length)] : ['', found.value];
  const texts = {
    why: `${is} is less than Spark starts with`,
    explanation: `Spark takes ${USUAL} where nobody says otherwise. The limit must allow it.`,
  };
  return { name: `${prefix || `${found.name}=`}${is}`, correction: setTo(place, found, `${prefix}${USUAL}`, texts) };
}
