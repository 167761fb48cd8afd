import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten, setTo } from '../given-values.ts';

/** A list with a single member and its address. */
const MEMBER = /^([\w.-]{2,63})=(https?:\/\/[^\s,=]{3,200})$/;

/** The name of the member as its list has it, if the host in the list begins with that name and the pod's own name is a different one. */
function asHostIsCalled(place: ContainerPlace, { name, old, said }: { name: string; old: string; said: string }): Correction | undefined {
  const isHost = old !== '' && said.includes(`://${old}.`) && place.spec.hostname !== name;
  const [only, ...more] = isHost ? givenIn(place).filter(({ name: option, value }) => /name$/i.test(option) && value === name) : [];
  if (!only || more.length > 0) return undefined;
  return setTo(place, only, old, {
    why: `the list and the host of the member have ${code(old)}`,
    explanation: `The list of members has no ${code(name)}.`,
  });
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

/** Entries whose names are not those of their hosts, where the missing name is the host of one: names each entry after its host. */
function afterHosts(place: ContainerPlace, list: Given, name: string): Correction[] {
  const entries = list.value.split(',').map((entry) => /^([\w.-]{2,63})=(https?:\/\/([\w-]{1,63})\.\S{2,200})$/.exec(entry.trim()));
  if (entries.some((entry) => entry === null) || !entries.some((entry) => entry?.[3] === name)) return [];
  const to = entries.map((entry) => `${entry?.[3]}=${entry?.[2]}`).join(',');
  return [
    {
      title: `Name the members in ${code(list.name)} after their hosts`,
      changes: [rewritten(place, list, to, `the member is called ${code(name)}, as its host`)],
      confidence: 'likely',
      explanation: `The list of members has no ${code(name)}.`,
      mirrorable: true,
    },
  ];
}

/** For an etcd member whose list does not have it under its name or its address. */
export function ownMember(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const name = /couldn't find local name \\{0,2}"([\w.-]{1,63})\\{0,2}" in the initial cluster/.exec(line)?.[1];
  if (!place) return [];
  const given = asItGives(place, line);
  const [only, ...more] = givenIn(place).filter(({ name: option }) => /initial.cluster$/i.test(option));
  if (given.length > 0 || name === undefined || !only || more.length > 0) return given;
  return only.value.includes(',') ? afterHosts(place, only, name) : asSingle(place, only, name);
}

/** Writes the name of the member, which comes from a variable, into a list of one. */
function asSingle(place: ContainerPlace, list: Given, name: string): Correction[] {
  const [, old = '', said] = MEMBER.exec(list.value) ?? [];
  if (said === undefined) return [];
  // The host of a member usually begins with its name.
  const own = asHostIsCalled(place, { name, old, said });
  const to = `${name}=${said.replace(`://${old}.`, () => `://${name}.`)}`;
  return [
    own ?? setTo(place, list, to, { why: `the member is called ${code(name)}`, explanation: `The list of members has no ${code(name)}.` }),
  ];
}
