import { Notice } from '../components/notice.tsx';
import { CopyButton } from '../components/copy.tsx';
import classes from './admin.module.css';

/** Shows a secret that can be shown only once. */
export function ShownOnce({ title, text }: { title: string; text: string }) {
  return (
    <Notice tone="unsure" role="status" title={title}>
      <div className={classes['once']}>{text}</div>
      <CopyButton text={text}>Copy</CopyButton>
    </Notice>
  );
}
