/** A field path that wraps after dots. */
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
