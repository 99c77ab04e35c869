package capability

import "strings"

// kind says what else a word can be.
type kind uint8

const (
	verb   kind = 'v' // only ever a verb
	either kind = 'e' // a verb where it stands first, perhaps a noun elsewhere
	noun   kind = 'n' // no verb; a name that has none goes with reading
)

// entry is a word of the table. runs marks the verbs that are as harmless as what they run.
type entry struct {
	word string
	tier Tier
	kind kind
	runs bool
}

// find returns a word's entry; that of an unknown word is the zero entry.
func find(word string) entry {
	low, high := 0, len(table)
	for low < high {
		from := strings.LastIndexByte(table[:(low+high)/2], '\n') + 1
		to := from + strings.IndexByte(table[from:], '\n')
		line := table[from:to]
		space := strings.IndexByte(line, ' ')
		switch w := line[:space]; {
		case w == word:
			return entry{w, Tier(line[space+1] - '0'), kind(line[space+2]), len(line) > space+3}
		case w < word:
			low = to + 1
		default:
			high = from
		}
	}
	return entry{}
}

// table is the name table: what words say of a tool that is called by them. A line is a word, its tier (1 to 4, as Read to
// Destructive), its kind, and r for runs. The lines are sorted. One text, and not a list of entries, is a third of the
// weight in the bundle.
const table = "" +
	"abort 4v\naccept 3v\nack 3v\nacknowledge 3v\nactivate 3v\nadd 3v\nadjust 3v\nadvance 3v\nadvice 1n\nadvisors 1n\n" +
	"aggregate 1v\nallocate 3v\nanalyse 1v\nanalyses 1e\nanalytics 1n\nanalyze 1v\nannotate 3v\nanswer 1e\nanswers 1n\n" +
	"append 3v\napply 3v\napprove 3v\narchive 3e\nask 1v\nassign 3v\nattach 3v\nattest 3v\naudit 1e\nauthenticate 2v\n" +
	"availability 1n\nback 2e\nbackup 2e\nbalance 1n\nban 4v\nbash 4e\nbatch 4e\nbestpractices 1n\nbind 3e\nblock 3e\n" +
	"book 3v\nbookmark 3e\nboost 3v\nboot 3v\nbootstrap 3v\nbranch 3e\nbroadcast 3v\nbrowse 1v\nbuild 3er\nbuy 3v\ncache 2e\n" +
	"calculate 1v\ncalculates 1v\ncalculator 1n\ncall 3er\ncancel 4v\ncapabilities 1n\ncapture 2v\ncat 1v\ncatalog 1n\n" +
	"change 3v\ncharge 3e\ncheck 1v\ncheckout 3e\nchecks 1n\nclassify 1v\nclean 4v\nclear 4v\nclick 3v\nclone 3v\nclose 3v\n" +
	"collect 1v\ncommand 4er\ncomment 3e\ncommit 3e\ncompare 1v\ncomplete 3v\ncompose 3v\ncompress 1v\ncompute 1v\n" +
	"configure 3v\nconfirm 3e\nconnect 2e\ncontext 1n\nconversion 1n\nconvert 1v\ncopy 3e\ncount 1v\ncounts 1n\ncrawl 1v\n" +
	"create 3v\ncrop 3v\ndeactivate 4v\ndecode 1v\ndecommission 4v\ndecompress 1v\ndecrement 3v\ndecrypt 1v\ndefragment 4v\n" +
	"del 4v\ndelegate 3v\ndelete 4v\ndeletes 4v\ndemote 3v\ndeny 4v\ndeploy 3e\ndeployment 3e\ndeprovision 4v\n" +
	"deregister 4v\ndescribe 1v\ndestroy 4v\ndestroys 4v\ndetach 4v\ndetail 1n\ndetails 1n\ndetect 1v\ndetermine 1v\n" +
	"diagnose 1v\ndiagnostics 1n\ndictionary 1n\ndiff 1e\ndirections 1n\ndisable 4v\ndiscard 4v\ndisconnect 3v\ndiscover 1v\n" +
	"dismiss 4v\ndispatch 3v\ndisplay 1e\ndocs 1n\ndocumentation 1n\ndownload 2v\ndraft 3e\ndrag 3e\ndrain 4v\ndrop 4e\n" +
	"duplicate 3v\necho 1e\nedit 3v\neditor 3e\neject 4v\neliminate 4v\nemail 3e\nempty 4e\nemulate 2e\nenable 3v\n" +
	"encode 1e\nenqueue 3v\nenroll 3v\nenumerate 1v\nerase 4v\nestimate 1v\nestimates 1v\neval 4v\nevaluate 4er\nevict 4v\n" +
	"examine 1v\nexample 1n\nexamples 1n\nexec 4vr\nexecute 4vr\nexpand 1v\nexpire 4v\nexplain 1v\nexplore 1v\nexport 2e\n" +
	"extend 3v\nextract 1v\nfeedback 3e\nfetch 1v\nfill 3v\nfilter 1e\nfinalize 3v\nfind 1v\nfinder 1n\nfindings 1n\n" +
	"finish 3v\nflag 3e\nflash 3e\nflush 4v\nfocus 2v\nfollow 3v\nforce 4v\nforecast 1v\nforget 4v\nfork 3e\nformat 1e\n" +
	"forward 2e\ngather 1v\ngenerate 1v\ngeocode 1v\nget 1v\nglob 1v\nglossary 1n\ngoto 2v\ngrant 3v\ngrep 1v\nguide 1n\n" +
	"guidelines 1n\nhalt 4e\nhandle 3v\nhandler 3e\nhash 1v\nhealth 1n\nhelp 1e\nhighlight 2v\nhistory 1n\nhover 2v\n" +
	"identify 1v\nimport 3e\nincrement 3v\nindex 3e\ninfer 1v\ninference 3e\ninfo 1n\ninformation 1n\ningest 3v\ninit 3v\n" +
	"initialize 3v\ninput 3e\ninsert 3v\ninsights 1n\ninspect 1v\ninstall 3v\ninteract 3v\ninterpret 1v\nintrospect 1v\n" +
	"invalidate 4v\ninvestigate 1v\ninvite 3e\ninvoke 4e\nisochrone 1e\nissue 3e\njoin 3v\nkey 3e\nkill 4v\nknow 1v\n" +
	"knowledge 1n\nlabel 3e\nlaunch 4e\nlearn 1v\nleave 3v\nlike 3e\nlimits 1n\nlink 3e\nlint 1v\nlist 1v\nlisting 1n\n" +
	"listings 1n\nload 2v\nlocate 1v\nlock 3e\nlogin 2e\nlogout 2e\nlogs 1n\nlook 1v\nlookup 1v\nls 1v\nmail 3e\nmake 3er\n" +
	"manage 3v\nmap 1e\nmark 3v\nmatch 1e\nmatrix 1n\nmaximize 2v\nmeasure 1v\nmemoize 2v\nmerge 3e\nmessage 3e\n" +
	"metadata 1n\nmetrics 1n\nmigrate 3v\nminimize 2v\nmint 3v\nmkdir 3v\nmodify 3v\nmove 3e\nmutate 3v\nnavigate 2v\n" +
	"note 3e\nnotify 3v\nnuke 4v\nobserve 1v\nobtain 1v\nopen 2e\noptimize 1e\norder 3e\noutline 1e\noverview 1n\n" +
	"overwrite 4v\nparse 1v\npatch 3v\npause 4e\npay 3v\npeek 1v\nperform 3er\npin 3e\nping 1v\nplot 1e\npoint 2e\npoll 1v\n" +
	"post 3e\npractices 1n\npredict 1v\nprepare 2e\npress 3e\npreview 1v\nprice 1n\nprices 1n\npricing 1n\nprint 1e\n" +
	"prioritize 3v\nproduct 1n\nprofile 1n\npromote 3v\nprotect 3v\nprovide 1v\nprovides 1n\nprovision 3v\nprune 4v\n" +
	"psql 4e\npublish 3v\npurchase 3v\npurge 4v\npush 3e\nput 3v\nquery 1v\nqueue 3e\nquit 4v\nquota 1n\nquotas 1n\nrank 1v\n" +
	"react 3v\nreactivate 3v\nread 1v\nreads 1v\nreassign 3v\nrebase 3v\nreboot 3v\nrecall 1v\nrecognise 1v\nrecognize 1v\n" +
	"recommend 1v\nrecommendations 1n\nreconfigure 3v\nrecord 2e\nrecreate 3v\nredeem 3v\nredeploy 3v\nrefresh 2v\n" +
	"refund 3e\nregenerate 3v\nregister 3v\nreject 4v\nrelease 3e\nremap 3v\nremember 2e\nremove 4v\nrename 3v\nrender 1v\n" +
	"renew 3v\nreopen 3v\nrepair 3v\nreplace 3v\nreply 3v\nreport 1n\nreports 1n\nrepost 3e\nrequest 3er\nrerun 3v\n" +
	"reschedule 3v\nreserve 3e\nreset 4v\nresize 2v\nresolve 1e\nrestart 3v\nrestore 3v\nresume 3v\nretrieve 1v\nretry 3v\n" +
	"return 1v\nreverse 1e\nrevert 3v\nrevoke 4v\nrm 4v\nrmdir 4v\nrollback 3v\nrotate 3v\nrun 4er\nsample 1e\nsave 3v\n" +
	"scale 3e\nscan 1v\nschedule 3e\nschema 1n\nschemas 1n\nscrape 1v\nscrapes 1v\nscreenshot 2v\nscript 4e\nscroll 2e\n" +
	"search 1v\nsee 1v\nselect 2e\nsend 3v\nsession 2e\nset 3v\nsetup 3e\nshare 3e\nshell 4e\nshorten 3v\nshow 1v\nshred 4v\n" +
	"shutdown 4v\nsigkill 4v\nsign 3e\nsimplify 1v\nsimulate 1v\nsleep 2v\nsnapshot 2e\nsort 1e\nsplit 3e\nstage 3e\n" +
	"stake 3v\nstar 3e\nstart 3er\nstat 1n\nstate 1n\nstatistics 1n\nstats 1n\nstatus 1n\nstop 4v\nstore 3e\nsubmit 3v\n" +
	"subscribe 3v\nsudo 4v\nsuggest 1v\nsuggestions 1n\nsummarise 1v\nsummarize 1v\nsummary 1n\nsuspend 4v\nswap 3v\n" +
	"swipe 2e\nswitch 2e\nsync 3e\ntag 3e\ntail 1v\ntap 3v\ntell 1v\nterminal 4e\nterminate 4v\ntest 3er\nthink 1v\ntips 1n\n" +
	"toggle 3v\ntokenize 1v\ntouch 3e\ntrace 1e\ntrack 1e\ntransfer 3e\ntransition 3e\ntranslate 1v\ntrash 4v\ntrigger 3er\n" +
	"truncate 4v\ntweet 3e\ntype 3e\nunarchive 3v\nunassign 3v\nunbind 3v\nunblock 4v\nunderstand 1v\nundo 3v\nunfollow 3v\n" +
	"uninstall 4v\nunlink 3v\nunlock 3v\nunpin 3v\nunprotect 4v\nunpublish 4v\nunregister 4v\nunresolve 3v\nunset 4v\n" +
	"unshare 3v\nunstar 3v\nunsubscribe 4v\nuntag 3v\nunwatch 3v\nupdate 3v\nupdater 3e\nupgrade 3e\nupload 3v\nupsert 3v\n" +
	"usage 1n\nuse 2e\nvalidate 1v\nverify 1v\nview 1e\nvisualise 1v\nvisualize 1v\nvote 3v\nwait 2v\nwake 2v\nwatch 1e\n" +
	"weather 1n\nwhoami 1v\nwipe 4v\nwithdraw 4v\nwrite 3v\nwrites 3e\nzoom 2v\n"
