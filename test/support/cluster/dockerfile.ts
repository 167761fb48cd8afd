/** One instruction of a Dockerfile: its word, and the rest of the line. */
export type Instruction = [word: string, rest: string];

/** The instructions of each stage, without `FROM`. Only what deploy/Dockerfile needs: an instruction is one line. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile.split('\n').filter((line) => /^[A-Z]/.test(line));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') stages.push([]);
    else stages.at(-1)?.push([word, rest]);
  }
  return stages;
}

/** What one `ENV` sets, as an image's configuration has it: `A=1 B="two words"` are two variables. */
export function variablesOf(rest: string): string[] {
  return [...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => `${name}=${quoted ?? plain ?? ''}`);
}
