/**
 * The scripts of operators and of those who only look.
 *
 * An act is done to the row that was seen, which its generation names, or to none; row and
 * record change in one step, or neither. After it no claim holds, in any run of the server.
 */

import { ruled, type Script, unruled } from "./script.js";

/** KEYS: a row. Answers who is asked to remember, then fields and values, none where there is no row. */
export const rowScript: Script = unruled(`
local found = redis.call('HGETALL', KEYS[1])
table.insert(found, 1, server)
table.insert(found, 1, 'found')
return found
`);

/** KEYS: a set of names. */
export const namesScript: Script = unruled(`
local found = redis.call('SMEMBERS', KEYS[1])
table.insert(found, 1, 'found')
return found
`);

/** KEYS: the records of a resource. Answers the latest first. */
export const actsScript: Script = unruled(`
local found = redis.call('LRANGE', KEYS[1], 0, -1)
table.insert(found, 1, 'found')
return found
`);

/**
 * KEYS: as every script, then the rows of the resource, and its acts. ARGV: lineage, watermark and owner to stand, then
 * the generation that was seen, the record, how many are kept, the row's id, the new generation, and the names of the
 * row; where it is forgotten the new generation is ''.
 */
export const actScript: Script = ruled(`
local acts, expected, record = KEYS[5], ARGV[4], ARGV[5]
if fields[8] ~= expected then
  -- A client may send a command again that was carried out and not answered.
  if redis.call('LINDEX', acts, 0) == record then return {'acted'} end
  return {'moved'}
end
local failure = whole({row, acts}, true, function()
  redis.call('LPUSH', acts, record)
  redis.call('LTRIM', acts, 0, tonumber(ARGV[6]) - 1)
  if ARGV[8] ~= '' then begin('', ARGV[8], ARGV[9], ARGV[10], ARGV[11])
  else
    redis.call('DEL', row)
    redis.call('SREM', KEYS[4], ARGV[7])
  end
end)
return failure or {'acted'}
`);

/**
 * KEYS: a row, what is remembered of its resource, its order, the rows of the resource, all resources. ARGV: the row's
 * id, the resource where all of it goes with its last row, or ''.
 */
export const removeScript: Script = unruled(`
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[4], ARGV[1])
if ARGV[2] == '' then return {'removed'} end
redis.call('DEL', KEYS[2], KEYS[3])
if redis.call('EXISTS', KEYS[4]) == 0 then redis.call('SREM', KEYS[5], ARGV[2]) end
return {'removed'}
`);
