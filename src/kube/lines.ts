/** Splits a stream of UTF-8 into lines. A last line without a line end is returned when the stream ends. Errors of the stream are passed on. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) if (line) yield line;
  }
  if (rest) yield rest;
}
