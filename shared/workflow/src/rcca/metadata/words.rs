//! The words that tell a symptom, a cause, a factor or a resolution, and how much.

use super::cue::{Role, Weights};

/// The words, separated by commas. A star stands for any ending.
pub(super) const CUES: &[(Role, Weights, &str)] = &[
    // What is observed.
    (
        Role::Plain,
        [4, 0, 0, 0],
        "unable to,not able to,could not,couldn't,couldn’t,cannot,can't,can’t,fails to,did not start,does not start,\
         didn't start,not start*,wouldn't,wouldn’t,not respond*,unresponsive,unreachable,unavailable,not available,inaccessible,\
         timed out,timeout*,times out,stuck,hung,hangs,hanging,crashloop*,crash loop*,crash looping,oomkilled,oom,evicted,\
         not ready,notready,not healthy,unhealthy,denied,refused,rejected,forbidden,not found,no response,no space left,\
         no longer respond*,not working,stopped working,did not work,went down,was down,were down,is down,going down,went dark,\
         not being shipped,not shipped,not receiv*,not appear*,not resolv*,not launch*,not load*,\
         aren't,weren't start*,keep dying,keeps dying,killed,not schedul*,pending,400,401,403,404,429,500,502,503,504,5xx,4xx",
    ),
    (Role::Harm, [3, 1, 0, -4], "failed to,failing to,failure to"),
    (Role::Plain, [3, 2, 3, 0], "insufficient"),
    (
        Role::Plain,
        [0, 4, 1, -5],
        "mistake*,accident,accidental*,inadvertent*,unintention*,by error",
    ),
    (
        Role::Harm,
        [3, 0, 0, 0],
        "failed,fails,fail,failing,failure*,error*,outage*,downtime,crash,crashed,crashes,crashing,malfunction*,anomal*,\
         corrupt*,overheat*,explo*,fire,burned,burnt,caught fire,smoke,crack*,fractur*,ruptur*,leak,leaked,leaks,leakage,\
         leaking,broke,broken,injur*,damage*,collapse*,separated,disruption*,disrupted,degradation,degraded,inconsisten*,\
         collid*,collision,contaminat*,jammed,seized,shorted,arcing",
    ),
    (
        Role::Harm,
        [2, 0, 0, 0],
        "lost,loss,affected,impacted,problem*,issue*,fault*,harm*,hurt,exposed,disclosed,violated,breached,exploited,stolen,\
         attack*,malicious,suffered,taken over,hijack*,ignition,venting,phish*,victim*",
    ),
    (
        Role::Harm,
        [3, 0, 0, 0],
        "slow*,latency,dropped,drops,drop,missing,empty,disappear*,stopped,exhausted,no longer,intermittent*,flood*,spike*,spiked,\
         rose from,fell from,increasing volume,out of memory,unexpected*,unusual*,spurious,forged,max capacity,limit reached,\
         full,noisy,wrong,unstable,vibration*,fluctuat*,erratic*,drift*,tripped,hot,persisted,freez*,froze*,slipped,slid,slide,rebound*",
    ),
    (
        Role::Plain,
        [3, 0, 0, -2],
        "reported,report of,reports of,notified us,users saw,users see*,users experienc*",
    ),
    (
        Role::Plain,
        [2, 0, 0, -2],
        "reports,reporting,noticed,notice,observed,observe,saw,seeing,seen,experienc*,complain*,\
         alert,alerts,alerted,alarm*,warning*,warned,showed,shows,showing,indicated,getting,received,detected,became,\
         becoming,rose,fell,grew,jumped,peaks,revealed",
    ),
    // Why it happened.
    (
        Role::Plain,
        [-2, 8, 0, -2],
        "root cause was,root cause is,primary cause,direct cause,main cause",
    ),
    (
        Role::Plain,
        [0, -3, 0, 0],
        "as a result of this,as a result of the issue,as a result of the incident,result of this,result of the issue,result of the incident,would have caused",
    ),
    (
        Role::Plain,
        [-2, 6, 0, -2],
        "root cause,root-cause,caused by,cause was,cause is,cause of,the reason,reason was,reason is,reason for,reason why,turned out,\
         due to the fact,attributed to,traced to,traced the,resulting from,resulted from,result of,as a result of,\
         stemmed from,trigger was,triggered by,culprit,problem was that,the problem was,issue was that,to blame,was because,is because,this is why,\
         probable cause,originated,explanation",
    ),
    (
        Role::Plain,
        [-2, 4, 0, -2],
        "after an upgrade,after the upgrade,after upgrading,following an upgrade,following the upgrade,found to be,identified as,identified that,discovered that,found that,determined that,concluded that,revealed that",
    ),
    (
        Role::Plain,
        [0, 3, 1, 0],
        "because,due to,led to,leads to,leading to,lead to,resulted in,results in,resulting in,resultant,caused,causes,causing,so that,\
         underlying issue,was introduced,this meant,this means,which meant,meant that,in turn,would cause,could cause,can cause,may cause,can result,could result,may result,bug,bugs,\
         race condition,deadlock,memory leak,misconfigur*,incorrect*,regression,overwr*,expired,incompatib*,mismatch*,instead of,rather than,overload*,too small,too many,too much,too long,too slow,\
         exceed*,saturat*,starv*,prevented,preventing,created a situation,consumes,susceptible,loose,\
         improper*,inadequate*,unaware that,behavior changed,changed the,deprecated,compromise of,vulnerab*,bypass*",
    ),
    (
        Role::Plain,
        [0, 2, 1, 0],
        "therefore,hence,thus,consequently,as a result,not include*,not doing,\
         not close*,not check*,failed to include,is identified as,seemed to come,comes from,came from,candidate,likely,believed to,no range,\
         defect*,stress*,suspected,short circuit,not been",
    ),
    (
        Role::Plain,
        [0, 1, 1, 0],
        "since,when,however,while,which,but,after,until,only,removed,changed,upgrade*,deploy*,instability",
    ),
    (
        Role::Plain,
        [-4, -12, -6, -2],
        "ruled out,not the cause,not caused by,not due to,not because,exclude that,to exclude,was unrelated,is unrelated,unrelated to,not related,excluded,red herring*,not the reason",
    ),
    (
        Role::Plain,
        [-2, -7, -2, -2],
        "cause is unknown,cause was unknown,unknown cause,unclear why,not known why,could not be determined,cause unknown,still unknown,remains unknown,\
         find the root cause,find root cause,root cause is unknown,identify the root cause,root cause analysis,determine the root cause,determine the cause,\
         root cause identified,investigate the cause,identify the cause,find the cause,investigating,several root causes,\
         different root cause,another root cause,for a different root cause,cause of this is,regardless of",
    ),
    // What helped it.
    (
        Role::Plain,
        [-1, 1, 5, -1],
        "contribut*,made things worse,made it worse,make things worse,worse,worsen*,aggravat*,exacerbat*,compounded,compounding,complicated,\
         complicating,made this,harder,difficult to,should have,could have been avoided",
    ),
    (
        Role::Plain,
        [0, 1, 3, 0],
        "unfortunately,lack of,lacking,no monitoring,no alert*,no alarm*,not monitored,unnoticed,unaware,not aware,\
         not familiar,unfamiliar,masked,hidden,hid,single point of failure,not tested,untested,not test,not testing,assumed,\
         assumption,manual*,human error,undocumented,not documented,outdated,default,had not been,has not been,was not,were not,\
         not set,not have,did not have,delayed,delay,misled,misleading,too late,not enough,not implemented,no procedure*,\
         no precaution*,omitted,omitting,failed to mention,bridged,not correlated,confus*,not incorporated,\
         unlike,diverged,not considered,no test*,not thorough,overlooked,not caught,did not catch",
    ),
    // What ended it.
    (
        Role::Plain,
        [-2, 0, -1, 5],
        "fixed by,resolved by,mitigated by,solved by,is resolved,was resolved,were resolved,resolved itself,rolled back,reverted,\
         roll back,rolling back,rollback,restored,was replaced,were replaced,replaced by,workaround,work around,restarted,is restarted,rebooted,was redesigned,\
         redesigned,fix was,manual fix,fix applied,applied the fix,applied a fix,fix has,quick fix,hotfix,reconnected,\
         outage to an end,we fixed,stopped within,out of rotation,\
         brought back,was corrected,were corrected,has been removed,have been removed,been fixed,removed from,\
         taken down,now rejected,is deleted,was deleted,were deleted,is fixed,was fixed,only solved by,solved",
    ),
    (
        Role::Plain,
        [-1, 0, -1, 3],
        "resolved,fixed,mitigated,mitigate,raised to,scaled,scaling,scale,disabled,disabling,disable,deleted,deleting,upgraded,\
         downgraded,migrated,patched,patch,restore,switched,cordoned,cordoning,cordon,uncordoned,drained,draining,terminated,\
         terminating,recreated,rebuilt,redeployed,rescheduled,revoked,rotated,renewed,reissued,silenced,replaced,replacing,replace,\
         repaired,reworked,restart,restarting,reset,re-attached,reattached,corrected,installed,recycling,tweaked,banned,quarantined,\
         rejecting,restoring,revert,running again,working again,the fix,merged,back to normal,back online,came back up,back up at,is back up,comes up,came back,returned to normal,recovered,\
         to prevent,will prevent,to an end,resumes,resume,returned,\
         removing,unblocked,rerouted,retrofitted,refit*,raising,lowered,refuses",
    ),
    (
        Role::Plain,
        [0, 0, 0, 2],
        "to fix,to resolve,to mitigate,to restore,to avoid,increased,increasing,added,adding,moved,updated,modified,adjusted,applied,implemented,deployed,now,since then,successfully,\
         limited,normal,healthy,blocked,solution,operational",
    ),
    (
        Role::Plain,
        [-4, -3, -3, 2],
        "should,shall,ensure*,recommend*,avoid,consider,set up,setup,need to,needs to,establish,improve,make sure",
    ),
    (
        Role::Plain,
        [-2, 0, 0, 2],
        "must,implement,create,require,provide,design,develop,add,use,verify,perform,update,maintain,include,document,prior to,issued",
    ),
    (
        Role::Plain,
        [0, 0, 0, -10],
        "did not help,didn't help,didn’t help,didnt help,not help,no effect,without success,to no avail,not fix,not resolve,did not solve,\
         not solve,not improve,nothing changed,changed nothing,was not possible,not mitigate,no improvement,blocked by,to check if,to see if,made no difference,problem will remain,tests to,test to",
    ),
    (
        Role::Plain,
        [0, 0, 0, -4],
        "tried,attempt*,trying,try to,proposed,planned,working on,maybe,perhaps,could be,would only,investigat*,discuss*,not yet",
    ),
    (
        Role::Plain,
        [0, 0, 0, -2],
        "started,began,begin,decided,decision,confirmed,announced,asked,appears,unclear,checked,checking",
    ),
    // What is beside the point.
    (
        Role::Plain,
        [-6, -3, -3, -3],
        "eur,usd,revenue,invoice,working hours,postmortem,post-mortem,thank*,incident declared,incident is declared,war room,slack.com,see also,timeline:",
    ),
    (
        Role::Plain,
        [-8, -4, -2, 0],
        "unaffected,not affected,not impacted,as designed,as expected,not violated,worked well,unharmed,no impact,no downtime,\
         worked fine,all healthy,was healthy,were healthy,was in order,were in order,no evidence,no sign of,will be,would have helped,to reproduce",
    ),
    (Role::Plain, [-10, -10, -10, -10], "gone better,sample subheadings"),
    // Denials.
    (Role::Denial(5), [4, 0, 0, 0], "no logs,no data,no metrics"),
    (Role::Denial(5), [-4, 2, 1, 0], "there was no,there were no"),
    (Role::Denial(5), [0, 1, 3, 0], "nobody,no one"),
    (Role::Denial(5), [0; 4], "no,none,neither,nor,zero"),
    (Role::Denial(3), [0, 1, 3, 0], "never,without"),
    (Role::Denial(3), [0; 4], "not,didn't,wasn't,weren't,isn't"),
];
