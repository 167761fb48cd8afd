import { type RuleInput, userOf } from '../../facts/input.ts';
import { givenIn } from '../given-values.ts';

/** Settings that say where the program itself listens. */
const OWN = /(?:^|[_.-])(?:LISTEN|BIND)(?:[_.-]?(?:ADDR(?:ESS)?|ON|TO|PORT))?$|^(?:HTTP_|SERVER_|APP_)?PORT$/i;

/** The port below 1024 in the only setting for the program's own address; empty if there is none, or if its user is root. */
export function lowPortGiven(input: RuleInput): { name: string; port: string } | undefined {
  const place = input.place();
  const user = place && userOf(place);
  const found = (place ? givenIn(place) : []).flatMap(({ name, value }) => {
    const port = /^(?:(?:0\.0\.0\.0|\[::\]|\*)?:)?(\d{1,4})$/.exec(value)?.[1];
    return OWN.test(name) && port !== undefined && Number(port) > 0 && Number(port) < 1024 ? [{ name, port }] : [];
  });
  return user !== undefined && user !== 0 && found.length === 1 ? found[0] : undefined;
}
