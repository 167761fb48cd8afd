import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** A list with a single member and its address. */
const MEMBER = /^([\w.-]{2,63})=(https?:\/\/[^\s,=]{3,200})$/;

/** The name of the member as its list has it, if the host in the list begins with that name and the pod's own name is a different one. */
function asHostIsCalled(place: ContainerPlace, { name, old, said }: { name: string; old: string; said: string }): Correction | undefined {
  const isHost = old !== '' && said.includes(`://${old}.`) && place.spec.hostname !== name;
  const [only, ...more] = isHost ? givenIn(place).filter(({ name: option, value }) => /name$/i.test(option) && value === name) : [];
  if (!only || more.length > 0 || only.path.includes('.valueFrom')) return undefined;
  return {
    title: `Set ${code(only.name)} to ${code(old)}`,
    changes: [rewritten(place, only, old, `the list and the host of the member have ${code(old)}`)],
    confidence: 'likely',
    explanation: `The list has no ${code(name)}.`,
    mirrorable: true,
  };
}

/** etcd compares the list with what the member itself gives as its address. */
const OTHER_ADDRESS =
  /--initial-cluster has ([\w.-]{1,63})=(https?:\/\/\S{3,200}) but missing from --initial-advertise-peer-urls=(https?:\/\/[^\s,]{3,200})/;

/** For an etcd member whose list has another address for it than the one that it gives itself: writes its own into the list. */
function asItGives(place: ContainerPlace, line: string): Correction[] {
  const [, name = '', listed = '', own = ''] = OTHER_ADDRESS.exec(line) ?? [];
  const list = givenIn(place).find(({ name: option, value }) => /initial.cluster$/i.test(option) && value.includes(`${name}=${listed}`));
  if (name === '' || !list) return [];
  return [
    {
      title: `Set the address of ${code(name)} in ${code(list.name)} to ${code(own)}`,
      changes: [
        rewritten(
          place,
          list,
          list.value.replace(`${name}=${listed}`, () => `${name}=${own}`),
          `the member gives ${code(own)} as its address`,
        ),
      ],
      confidence: 'likely',
      explanation: `The list has ${code(listed)} for it.`,
      mirrorable: true,
    },
  ];
}

/** For an etcd member that does not find its own name in a list of one: writes that name, which comes from a variable, into the list. */
export function ownMember(input: RuleInput, line: string): Correction[] {
  const name = /couldn't find local name \\{0,2}"([\w.-]{1,63})\\{0,2}" in the initial cluster/.exec(line)?.[1];
  const place = input.place();
  const given = place ? asItGives(place, line) : [];
  if (given.length > 0) return given;
  const [only, ...more] = place
    ? givenIn(place).filter(({ name: option, value }) => /initial.cluster$/i.test(option) && MEMBER.test(value))
    : [];
  const [, old = '', said] = MEMBER.exec(only?.value ?? '') ?? [];
  // The host of a member usually begins with its name.
  const own = place && asHostIsCalled(place, { name: name ?? '', old, said: said ?? '' });
  if (own && more.length === 0) return [own];
  const address = said?.replace(`://${old}.`, () => `://${name}.`);
  if (!place || name === undefined || address === undefined || !only || more.length > 0) return [];
  const to = `${name}=${address}`;
  return [
    {
      title: `Set ${code(only.name)} to ${code(to)}`,
      changes: [rewritten(place, only, to, `the member is called ${code(name)}`)],
      confidence: 'likely',
      explanation: `The list has no ${code(name)}.`,
      mirrorable: true,
    },
  ];
}
