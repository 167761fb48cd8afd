import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { renderReport } from '../../../src/diagnosis/rendering/render.ts';
import { failingCases } from '../../../src/failures/detect/recording.ts';
import { recorded } from '../../support/expected/scenarios.ts';

const report = suite('the first lines of a report');

/** The first five lines of the report about a recorded scenario. They say what happened and what to do next. */
function firstLines(name: string): string {
  const [subject] = failingCases(recorded(name), ({ metadata }) => metadata.namespace === `s-${name}`);
  assert.ok(subject, `${name} fails`);
  return renderReport('', diagnose(subject)).split('\n').slice(0, 5).join('\n');
}

/** What these lines must say, and what they must not say. */
const SAID: Record<string, [says: RegExp, never?: RegExp]> = {
  'claim-name-typo': [/cannot be scheduled.*set `\S+claimName` to `data`\./s, /fits on no node/],
  'claim-access-mode': [/has no storage class, and no existing volume fits.*kubectl get persistentvolumes/s, /provisioner/],
  'claim-too-big': [/requested PV is too small/],
  'claim-volume-name': [/no existing volume fits/],
  'image-secret-other-host': [/registry accepts \(`docker\.io`\).*uses the pull secret `regcred`/s],
  'job-deadline-selector': [
    /The Job `compact` reached its deadline before it could run\. The pod of the Job `compact` cannot be scheduled/,
  ],
  'job-deadline-image': [/reached its deadline before it could run\..*cannot be pulled/],
  'job-deadline': [/ran longer than its deadline of `5 s`/, /before it could run/],
  'os-windows': [
    /for the operating system `windows`, and the node runs another one.*If the image is for that system, it needs a node of it/s,
  ],
  'quota-best-effort': [/without requests and limits.*Request CPU and memory/s, /request less/],
  'selector-label-missing': [/remove `spec\.nodeSelector\.disktype`\. If the program needs such a node, give one the label instead\./],
  'affinity-arch': [/\. If the program needs such a node, give one the label instead\./],
  'runtime-class': [/without the isolation or the devices of that class\./],
  'emptydir-milli': [/Set the limit to `512Mi`/, /Raise the limit/],
  'dns-nameserver-gone': [/`None` asks only the servers of `dnsConfig`/],
  'memory-tmpfs': [/is used up before it starts; the files in volume `\w+`, which is in memory, count too/, /thousandth/],
  'env-order-too': [/Define `DB_USER` and `DB_PASSWORD` before `DATABASE_URL`/],
  'service-external-name': [/The Service `billing` exists.*`ExternalName`/],
  'jdbc-host': [/The name `ledger-db` is not known/, /exists\. If it is of type/],
  'downward-label-missing': [/it takes its value from the field `metadata\.labels\['version'\]` of the pod/],
  'limit-range-default-below': [/more than the limit that the LimitRange of the namespace gives it, since it sets none/],
  'pod-never-failed': [/Look up the code of the Oracle error/],
  'killed-by-watchdog': [/may kill itself: read its last log lines/],
  // The lines name a second change, with its reason where that is its own. Of more changes they give the number.
  'selector-and-claim': [/, and remove `spec\.nodeSelector\.disk` \(no node has this label\)\./],
  'secret-and-config': [/, and set `\S+configMapRef\.name` to `orders-config` \(`orders-conf` looks like a typo/],
  'read-only-root-tmp': [/, and add `\{"name":"writable-tmp","mountPath":"\/tmp"\}` to `spec\.containers\[0\]\.volumeMounts`\./],
  'config-three-places': [/, together with the other 2 changes below\./],
  'script-not-executable': [/set `\S+defaultMode` to 0755/, /493/],
  'dependency-scaled-to-zero': [/the Service `broker` selects no pods/],
  'service-selector-role': [
    /selects no pods \(it wants `role=leader`, they have `role=master`\).*Set `spec\.selector\.role` of the Service/s,
  ],
  'f-prometheus-path-outside-its-volume': [/does not exist: volume `storage`, which is for it, is mounted at/],
  'file-missing-mount-path': [/does not exist: volume `conf`, which has it, is mounted at `\/etc\/application`\./],
  'memory-milli': [/means 0\.128 bytes\.\n.*Why:\*\* `m` stands for thousandths/],
  'ag-readiness-gate': [/See whether the AWS Load Balancer Controller runs in this cluster/],
  segfault: [/Why:\*\* It crashes: `Segmentation fault`/],
  'termination-message': [/cannot parse its JSON in `\/etc\/app\/rules\.json`.*no volume brings the file: it is part of the image/s],
};

for (const [name, [says, never]] of Object.entries(SAID))
  report(name, () => {
    const lines = firstLines(name);
    assert.match(lines, says);
    if (never) assert.not.match(lines, never);
  });

/** The line that begins with "Next", with the owner that the recording holds. */
function nextStep(name: string): string {
  const [subject] = failingCases(recorded(name), ({ metadata }) => metadata.namespace === `s-${name}`);
  assert.ok(subject, `${name} fails`);
  return /^- \*\*Next:\*\* (.*)$/m.exec(renderReport('', diagnose(subject), subject))?.[1] ?? '';
}

/** Each kind of place that a person may have to edit. */
const PLACES: Record<string, RegExp> = {
  'args-no-colon':
    /A likely correction: .+, because .+\. In the pod template of the Deployment `app`, set `spec\.containers\[0\]\.args\[0\]` to `:8080`\.$/,
  'mysql-root-password-name': /In the pod template of the StatefulSet `mysql`, set `spec\.containers\[0\]\.env\[0\]\.name`/,
  'job-deadline-config': /In the file with the Job `export`, set `spec\.template\.spec\.containers\[0\]/,
  'security-privileged':
    /A guess: .*\. In the Deployment `app`, set `spec\.template\.spec\.containers\[0\]\.securityContext\.privileged` to false\. Otherwise: /,
  'post-start-port':
    /A likely correction: .+, because .+\. In the manifest of the pod `[\w-]+`, set `spec\.containers\[0\]\.lifecycle\.postStart\.httpGet\.port` to 80\. Then delete the pod and create it again: this field of a pod cannot be changed\.$/,
  // The stars stand for a password: whoever copied the whole value would write them.
  'rabbitmq-vhost': /, change `order` to `orders` in `spec\.containers\[0\]\.env\[1\]\.value` \(variable `[A-Z_]+`\)\.$/,
  'i-cronjob-backup-readonly': /In the CronJob `dump-orders`, remove `spec\.jobTemplate\.spec\.template\.spec\.containers\[0\]/,
  'j-migrate-source-folder':
    /set `spec\.template\.spec\S+` to `-path=\/db\/migrations`\. Then delete the Job and create it again from that file\.$/,
  // A path of the Job's pod.
  'image-job-tag': /In the file with the Job `[\w-]+`, set `spec\.template\.spec\.containers\[0\]\.image`/,
  // The Job's own field, and the names of what a path only counts.
  'job-deadline-too-short':
    /In the file with the Job `reindex`, set `spec\.activeDeadlineSeconds` to 600\. .*: one that has ended does not start again\. Otherwise: Its log shows/,
  'e-cpu-limit-far-above-request':
    /`spec\.template\.spec\.initContainers\[0\]\.resources\.requests\.cpu` \(init container `warm-cache`\) to `125m`/,
  'aa-cron-one-string': /Then delete the Job if it still runs: with `Forbid` the CronJob starts no other beside it\.$/,
  'tls-certificate-key': /Then delete the pod: a StatefulSet does not replace a pod that never became ready\.$/,
};

for (const [name, place] of Object.entries(PLACES)) report(`${name} names what to edit`, () => assert.match(nextStep(name), place));

report.run();
