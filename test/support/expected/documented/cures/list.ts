import { ASKED_BY_USERS } from './asked-by-users.ts';
import { IDENTITIES_AND_RECORDS } from './identities-and-records.ts';
import { LATE_OPTIONS } from './late-options.ts';
import { OPTIONS_AND_FOLDERS } from './options-and-folders.ts';
import { USERS_AND_RELATIONS } from './users-and-relations.ts';
import { OPTIONS_AND_PAIRS } from './options-and-pairs.ts';
import { SETTINGS_OF_IMAGES } from './settings-of-images.ts';
import { NAMES_ON_SERVERS } from './names-on-servers.ts';
import { SLIPS_AND_SWAPS } from './slips-and-swaps.ts';
import { BETWEEN_OBJECTS } from './between-objects.ts';
import { ADVERTISED_ADDRESSES } from './advertised-addresses.ts';
import { CLUSTER } from './cluster.ts';
import { CRASHED_CONTAINERS } from './crashed-containers.ts';
import { CONFIG_FILES } from './config-files.ts';
import { HEALTHY } from './healthy.ts';
import { HOMES } from './homes.ts';
import { HOSTS_AND_DEFAULTS } from './hosts-and-defaults.ts';
import { KUBERNETES_1_36 } from './kubernetes-1-36.ts';
import { NAMED_PORTS } from './named-ports.ts';
import { NEAR_VALUES } from './near-values.ts';
import { MISSING_SETTINGS } from './missing-settings.ts';
import { NEAR_NAMES } from './near-names.ts';
import { NEIGHBOURS } from './neighbours.ts';
import { OLD_REVISIONS } from './old-revisions.ts';
import { PEERS } from './peers.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { POD_SETTINGS } from './pod-settings.ts';
import { POLICY_BOUNDS } from './policy-bounds.ts';
import { PROBE_ADDRESSES } from './probe-addresses.ts';
import { PROBE_OUTPUT } from './probe-output.ts';
import { POD_FIELDS } from './pod-fields.ts';
import { PROGRAM } from './program.ts';
import { PROPOSED_OPTIONS } from './proposed-options.ts';
import { READING_LOGS } from './reading-logs.ts';
import { TOLD_BY_PROGRAMS } from './told-by-programs.ts';
import { OBJECTS_AROUND } from './objects-around.ts';
import { RENAMED_AND_MOVED } from './renamed-and-moved.ts';
import { RUNTIME_SETTINGS } from './runtime-settings.ts';
import { DAILY_CLIENTS } from './daily-clients.ts';
import { DATA_TICKETS } from './data-tickets.ts';
import { EXAM_TICKETS } from './exam-tickets.ts';
import { SETTINGS_LIBRARIES } from './settings-libraries.ts';
import { PLATFORM_TICKETS } from './platform-tickets.ts';
import { PLATFORM_WORDS } from './platform-words.ts';
import { NAMES_BESIDE } from './names-beside.ts';
import { SCRIPTS_AND_FOLDERS } from './scripts-and-folders.ts';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { PLATFORM_SLIPS } from './platform-slips.ts';
import { EVERYDAY_SLIPS } from './everyday-slips.ts';
import { REFUSED_VALUES } from './refused-values.ts';
import { REJECTED_VALUES } from './rejected-values.ts';
import { RIGHTS_AND_VERSIONS } from './rights-and-versions.ts';
import { SERVERS_AND_CONTEXTS } from './servers-and-contexts.ts';
import { LISTED_FAULTS } from './listed-faults.ts';
import { SEVERAL_FAULTS } from './several-faults.ts';
import { RELATED_SETTINGS } from './related-settings.ts';
import { NEEDED_OPTIONS } from './needed-options.ts';
import { RUNTIMES_AND_FILES } from './runtimes-and-files.ts';
import { UNNAMED_SERVERS } from './unnamed-servers.ts';
import { STRICT_PROGRAMS } from './strict-programs.ts';
import { WAITING_SERVERS } from './waiting-servers.ts';
import { VARIABLE_REFERENCES } from './variable-references.ts';
import { WELL_KNOWN_PROGRAMS } from './well-known-programs.ts';

/**
 * Cases by their sentence, each with the whole first correction that is right. The right answer was written before the rules ran on the
 * case. The cases come from incidents, the documentation and troubleshooting exercises, in our own words.
 */
export const CURES = [
  ...Object.entries(OLD_REVISIONS),
  ...Object.entries(BETWEEN_OBJECTS),
  ...Object.entries(ADVERTISED_ADDRESSES),
  ...Object.entries(CLUSTER),
  ...Object.entries(CRASHED_CONTAINERS),
  ...Object.entries(MISSING_SETTINGS),
  ...Object.entries(NAMED_PORTS),
  ...Object.entries(PEERS),
  ...Object.entries(POLICY_BOUNDS),
  ...Object.entries(PLACEHOLDERS),
  ...Object.entries(PROBE_ADDRESSES),
  ...Object.entries(PROBE_OUTPUT),
  ...Object.entries(SERVERS_AND_CONTEXTS),
  ...Object.entries(VARIABLE_REFERENCES),
  ...Object.entries(PROGRAM),
  ...Object.entries(HEALTHY),
  ...Object.entries(SEVERAL_FAULTS),
  ...Object.entries(STRICT_PROGRAMS),
  ...Object.entries(SETTINGS_LIBRARIES),
  ...Object.entries(RELATED_SETTINGS),
  ...Object.entries(NEEDED_OPTIONS),
  ...Object.entries(RUNTIMES_AND_FILES),
  ...Object.entries(UNNAMED_SERVERS),
  ...Object.entries(LISTED_FAULTS),
  ...Object.entries(POD_SETTINGS),
  ...Object.entries(HOMES),
  ...Object.entries(NEAR_NAMES),
  ...Object.entries(NEIGHBOURS),
  ...Object.entries(NEAR_VALUES),
  ...Object.entries(PROPOSED_OPTIONS),
  ...Object.entries(READING_LOGS),
  ...Object.entries(TOLD_BY_PROGRAMS),
  ...Object.entries(EVERYDAY_SLIPS),
  ...Object.entries(PLATFORM_SLIPS),
  ...Object.entries(CLIENT_SETTINGS),
  ...Object.entries(SCRIPTS_AND_FOLDERS),
  ...Object.entries(NAMES_BESIDE),
  ...Object.entries(PLATFORM_WORDS),
  ...Object.entries(DAILY_CLIENTS),
  ...Object.entries(RUNTIME_SETTINGS),
  ...Object.entries(OBJECTS_AROUND),
  ...Object.entries(REFUSED_VALUES),
  ...Object.entries(REJECTED_VALUES),
  ...Object.entries(WELL_KNOWN_PROGRAMS),
  ...Object.entries(KUBERNETES_1_36),
  ...Object.entries(POD_FIELDS),
  ...Object.entries(CONFIG_FILES),
  ...Object.entries(RIGHTS_AND_VERSIONS),
  ...Object.entries(WAITING_SERVERS),
  ...Object.entries(HOSTS_AND_DEFAULTS),
  ...Object.entries(NAMES_ON_SERVERS),
  ...Object.entries(SLIPS_AND_SWAPS),
  ...Object.entries(SETTINGS_OF_IMAGES),
  ...Object.entries(OPTIONS_AND_PAIRS),
  ...Object.entries(RENAMED_AND_MOVED),
  ...Object.entries(LATE_OPTIONS),
  ...Object.entries(USERS_AND_RELATIONS),
  ...Object.entries(OPTIONS_AND_FOLDERS),
  ...Object.entries(IDENTITIES_AND_RECORDS),
  ...Object.entries(ASKED_BY_USERS),
  ...Object.entries(PLATFORM_TICKETS),
  ...Object.entries(DATA_TICKETS),
  ...Object.entries(EXAM_TICKETS),
];
