import type { Generated } from 'kysely';

/** Row types of migrations/0018-owner-alarm.sql. */
export interface OwnerAlarmTables {
  owner_alarms: {
    alarm: string;
    is_on: boolean;
    since: Date;
    turning_since: Date | null;
  };
  owner_messages: {
    /** int8: a decimal string on the wire. */
    id: Generated<string>;
    text: string;
    created_at: Generated<Date>;
    telling_since: Date | null;
    told_at: Date | null;
  };
}
