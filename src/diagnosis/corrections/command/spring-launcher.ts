import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';

/** The launchers of Spring Boot, which moved to another package in 3.2 (Spring Boot 3.2 Release Notes: Nested Jar Support). */
const LAUNCHER = /^org\.springframework\.boot\.loader\.(launch\.)?((?:Jar|War|Properties)Launcher)$/;

/** For a launcher that the jar does not have: the one of the other versions of Spring Boot. */
export function otherLauncher(input: RuleInput, name: string): Correction[] {
  const [, moved, launcher] = LAUNCHER.exec(name) ?? [];
  if (launcher === undefined) return [];
  const to = `org.springframework.boot.loader.${moved ? '' : 'launch.'}${launcher}`;
  return writtenInstead(
    input,
    { from: name, to },
    {
      why: `the launcher is called so ${moved ? 'before' : 'since'} Spring Boot 3.2`,
      explanation: `The jar has no ${code(name)}.`,
    },
  );
}
