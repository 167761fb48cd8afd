/** The path of a field. Where it is too long for a line, it breaks after a dot. */
export function FieldPath({ path }: { path: string }) {
  return (
    <code>
      {path.split(/(?<=\.)/).map((part, index) => (
        <span key={`${String(index)} ${part}`}>
          {part}
          <wbr />
        </span>
      ))}
    </code>
  );
}
