/**
 * The passwords that people choose most, from the frequency list of zxcvbn-ts 4.1.3 and of zxcvbn 4.5.0
 * (https://github.com/zxcvbn-ts/zxcvbn, MIT License, copyright 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts), in
 * lower case. Of those that are long enough to be chosen here, all; of the others, the most frequent words without the
 * digits and signs around them.
 */
const listed = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Of 12 characters or more. */
export const longCommonPasswords = listed(`
  010203040506 012345678910 014702580369 01telemike01 050605rostik 102030405060 1111111111zz 111222333000 111222333444555 112233445566
  122333444455555 123123qweqwe 123321123321 123321456654 123321qweewq 123456654321 12345677654321 123456782000 1234567887654321
  123456789000 12345678900987654321 123456789012 1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty
  1234567890zzz 123456789101 123456789123 1234567892000 12345678987654321 123456789987654321 123456789aaa 123456789abc 123456789asd
  123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu 123456qwerty 123456zxcvbn
  1234qwerasdf 1234qwerasdfzxcv 123ewqasdcxz 123qwe123qwe 123qwe456rty 123qweasdzxc 123qwerty123 12qw34er56ty 159753159753 159753456852
  193570356033 19960610ilja 1a2a3a4a5a6a 1a2s3d4f5g6h 1q2w3e4r5t6y 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv
  1qazxsw23edc 1qazxsw23edcvfr4 23176djivanfros 23wkoa0fp78dk 31217221027711 32615948worms 41d8cd98f00b 420842084208555 4815162342lf
  4815162342lost 541233432442 59382113kevinp 6215mila6215 742617000027 89063032220m 89231243658s 89876065093rax 89semtsriuty
  a1s2d3f4g5h6 abc123456789 admin18533362 administrator aksjdlasdakj89879 alpha135792468 amadeusptfcor an83546921an13 andrewjackie
  antananarivu anytimetoday asd123asd123 asdfgh123456 asdfghjkl123 auckland2010 avrillavigne badiman28200 bhrh0h2oof6xbqjeh
  blacksonblon bltynbabrfwbz boy4u2ownnyc bpgjldsgjldthnf bullnuts2003 businessbabe cheeseburger chesterfield chickenwing101
  christopher1 civilization cjdthitycndj cnfc35762209 combat123654 configuratio construction contortionist corperfmonsy cosmopolitan
  counterstrike devilmaycry4 digitalprodu dkflbvbhjdbx dkflbvbhjdyf domainlock2005 edwardcullen entertainment fatima753357 finalfantasy
  findaupair007 fkmnthyfnbdf fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh foreveryoung frederiksberg fucktheworld
  fuckyoubitch fynfyfyfhbde gfhfktkjuhfv gfhjkmgfhjkm ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649 ghjatccbjyfk ghjcnjgbpltw ghjcnjgfhjkm
  ghjcnjghjcnj ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt ghtdtlvtldtl gjkysqgbpltw greenlantern gthtrfnbgjkt gtnhjpfdjlcr
  hd764nw5d7e1vb1 hd764nw5d7e1vbv hedimaptfcor iampurehaha2 iloveboobies ilovemyfamily ingodwetrust installdevic installsqlst
  intelligence international ipo54tj45uy856 iseedeadpeople jamesbond007 josephphone7 justinbieber ktjynsq40147 leavemealone
  lhbjkjubz2957704 lost4815162342 love777321777 lytdybrbdfvgbhf lytghjgtnhjdcr mailcreated5240 maprchem56458 marinamarina massimiliano
  masterbaiting masterbating masturbation maurolarastefy mevefalkcakk michaeljackson minecraft123 minnesota_hp momsanaladventure
  morganstanley mortalkombat motherfucker msoracle32re msorcloledbr nastyanastya ne_e_pod_chehyl necronomicon needforspeed
  nemvxyheqdd5oqxyxyzi networkingpe newproject2004 nhbujyjvtnhbz nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nick1234-rem936 nightcrawler
  nondriversig ntktdbpjh1994 olcrackmaster ontheoutside paraklast1974 password1234 passwordassword passwordpassword passwordstandard
  peanutbutter pfqwtd27121988 philadelphia playstation2 playstation3 polniypizdec0211 polniypizdec1102 polniypizdec110211 pornographic
  professional ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh qaz123wsx456
  qazwsx123456 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazwsxqazwsx qazxswedc123 qazxswedcvfr qwaszxerdfcv qwe123qwe123 qweasdzxc123
  qwerasdfzxcv qwertasdfgzxcvb qwerty123456 qwerty123456789 qwertyasdfgh qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop12345
  qwertyytrewq residentevil rfnthbyf1988 ronaldinho10 sanfrancisco satisfaction saun24865709 scandinavian schoolgirlie sdicmt7seytn
  seemnemaailm sojdlg123aljg sonnenschein sonyericsson specialinsta stickdaddy77 stinkyfinger stratocaster supernatural systemofadown
  temppassword thecakeisalie ticketmaster transformers unbelievable vanyarespekt vfhbyfvfhbyf vfrcbvvfrcbv vfvfvskfhfve vladimirovna
  warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat weihnachtsbau weihnachtsbaum whosyourdaddy xxxp455w0rd5
  z1x2c3v4b5n6 z1x2c3v4b5n6m7 zaq12wsxcde3 zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456
  zxcvbnm123456789 zxcvbnmmnbvcxz
`);

/** Of 4 letters or more: people lengthen them by digits and signs, or by saying them twice. */
export const commonWords = listed(`
  aardvark aaron abcd aberdeen abgrtyu abigail access accord account achilles action active adam adgjmptw adidas admin administrator
  adrian aezakmi africa agent aggies airborne airforce airplane alabama alan alaska albert alberto alejandr aleksandr alex alexande
  alexander alexandr alexandra alexis alfred alice alicia aliens alison allen allison alpha alpine always alyssa amadeus amanda amateur
  amazon amber amelia america american amsterdam anakin anal analsex anarchy anastasia anders anderson andre andrea andreas andrei
  andrew andrey andy angel angela angelica angelina angelo angels animal anime anna annette annie anthony anton antonio anubis anything
  apache apollo apple apples april aquarius aragorn archer archie area arizona arnold arsenal arthur artist asdasd asdf asdfasdf asdfg
  asdfgh asdfghj asdfghjk asdfghjkl asdzxc ashley ashton asian aspirine assass assassin assfuck asshole assman asterix astros athena
  atlanta atlantic atlantis atomic auburn audrey august aurora aussie austin australia autumn avalon avatar avenger awesome azamat
  azerty babe babes baby babyboy babydoll babygirl babylon badass badboy badger baggins bailey ball baller balls bambam banana bananas
  bandit bang bangkok banshee barbara barbie barcelon barcelona barkley barney bart baseball basket basketba basketball bass bassman
  bastard batman battle baxter beach beagle bear beast beatles beatrice beautiful beauty beaver beavis beckham beefcake beer beetle
  belinda bell bella bender benjamin bennett benson bentley berlin bernard bernie bertha bethany bianca bigballs bigboobs bigboy
  bigcock bigdaddy bigdick bigdog bigfoot bigger biggie bigguy bigmac bigman bigone bigred bigtits bill billie billy billybob bingo
  bird birdie birdman birthday biscuit bishop bitch bitches biteme blabla black blackcat blackdog blackie blackjac blackman blacks
  blacky blade blades blahblah blake blaster blazer blessed blink blizzard blonde blondes blondie blood blowjob blowme blue bluebird
  blueeyes bluemoon blues bluesky boat bobafett bobbie bobbob bobby bobcat boeing bogdan bohica bollocks bollox bomber bond bondage
  bone bonehead boner bones bonjour bonnie boobies booboo boobs booger boogie boomer booty boris bosco boss bossman boston bottom
  bowler bowling bradley brandi brando brandon brandy brasil braves brazil breeze brenda brendan brian brianna bridge bridget britney
  brittany broken bronco broncos brooke brooklyn brooks brother brothers brown brownie browns bruce brucelee bruins bruno brutus bryan
  bubba bubble bubbles buck buckeye buckeyes buddha buddy budlight budman buffalo buffett buffy bugger bull bulldog bulldogs bullet
  bullshit bunghole bunny burger burton bush business buster butch butler butt butter butterfl butterfly butthead butthole buttons
  byteme cactus cadillac caesar caitlin caliente californ california callie calvin camaro camel camelot camels camera cameron camille
  campbell canada cancer candy candyman cannon cantona capital captain cardinal carlo carlos carlton carmen carol carolina caroline
  carolyn carpet carrie carrot carson carter cartman caserta casey cash casino casper cassidy cassie castle catalina catch catdog
  catfish catherin cats cavalier ccbill cdtnkfyf celeste celica celine celtic celtics center central cessna champion champs chance
  chandler chang change changeme chaos charger chargers charles charlie charlott charlotte charly charmed check cheese chelsea cherokee
  cherry cheryl chester chevelle chevrole chevy cheyenne chicago chichi chicken chicks chiefs children chipper chloe chocolat chopper
  chris chrissy christ christia christian christin christine christop christy chronic chubby chuck chucky church cindy cjkysirj cjkywt
  claire clancy clarence classic claude claudia clayton clifford clinton clitoris clover cobra cocacola cock cody coffee colleen
  college collins colombia colorado colors colt coltrane columbia command commando company compaq computer concrete condor connect
  connie connor conrad consumer content contrasena control cookie cookies cool cooldude cooler coolio cooper copper corona corvette
  cosmos cosworth cotton cougar country courtney cowboy cowboys coyote cracker crash crazy cream creampie creative cricket crimson
  cristina crusader crystal cthutq cuddles cumming cumshot cunt cupcake curious curtis cutter cxfcnmt cynthia daddy dagger daisy dakota
  dale dallas dalton damian damien dance dancer danger daniel daniela danielle daniil danni danny dannyboy dark darkness darkside
  darkstar darling darren darwin dave david dawg daytona dbrnjhbz dead deadhead deanna death debbie december deedee default defender
  defiant deftones delete delta denis denise dennis denver derrick desert design desire destiny detroit devil devildog devils dexter
  dfvgbh diablo diamond diamonds diana dick dickhead diesel dietcoke digger digital dilbert dilligaf dillon dima dingdong director
  dirty discover disney dixie dkflbvbh doberman doctor dodge dodger dodgeram dodgers dogg doggie doggy dogs dollar dolphin dolphins
  dominic domino donald donkey donnie doodle dookie dorothy double doughboy douglas drago dragon dragons drake dream dreamer dreams
  driver drizzt drowssap drpepper drummer dthjybrf dublin ducati duck dude dudley duke dumbass duncan durango dustin dusty dylan eagle
  eagles eatme eatshit eclipse eddie eduard edward eileen einstein ekaterina elaine electric element elena elephant elijah elizabet
  elizabeth elliot elliott elvis elwood emerald emily eminem emmanuel empire energy engine engineer england english enigma enjoy enter
  enterpri enterprise eric ernest erotic escape escort esther eternity eugene evelyn everton excalibu exigen exigent explorer express
  extreme faith falcon falcons fallen family fantasy farmer farside faster fatass fatboy fatcat father fatman felix fender fernando
  ferrari ferret fetish ficken fighter filter finger finish fire fireball firebird firefly firefox fireman fish fisher fishing fitness
  fktrcfylh fktrctq flames flamingo flash flatron fletcher flight flipper florence florida flower flowers fluffy flyboy flyers foobar
  football ford forest forever forget forgot formula forrest fossil foster foxtrot france frances francis franco frank frankie franklin
  franky freak freaky freckles fred freddie freddy frederic fredfred free freedom freeman freepass freeuser french friday friend
  friends frog frogger froggy front frontier frosty fuck fucked fucker fuckers fuckface fuckfuck fucking fuckit fuckme fuckoff fuckyou
  funny funtime fusion future fyfcnfcbz fylhtq gabriel galaxy galina galore gambit gandalf gangbang gangsta gangster garbage garcia
  garden garfield garrett gary gateway gator gators gbpltw geheim gemini general genesis genius george georgia gerald gerard german
  germany geronimo getsome gfhjkm ghbdtn ghbdtnbr ghjcnj ghost giants gibson gilbert gillian ginger giovanni girl girls gizmo gizmodo
  gjkbyf global gloria goblin goblue goddess godsmack godzilla goforit gold goldberg golden goldfish goldie golf golfball golfer
  golfing goober good goodbye goodluck goodtime google goose gordon gorilla gotcha gothic grace gracie graham granny grateful great
  green greenday greg gregory gremlin grendel griffey griffin grizzly groovy grover guardian guinness guitar gundam gunner gustav
  hacker halflife hallo hamburg hamilton hamlet hammer hamster handsome hannah hannibal hansolo happy hard hardcore harder hardon
  harley harmony harold harris harrison harry harvey hastings hawaii hawk hawkeye hayden head hearts heather heaven hector helena hell
  hellfire hello help helpme hendrix henry hentai herbert herbie hercules herman hermes hershey hesoyam hidden highland hiphop history
  hitler hitman hjvfirf hobbes hobbit hockey holden holiday holland holly hollywoo holmes home homer homers homerun honda honey
  hongkong hooker hooters hoover horndog hornet horney horny horse horses hotboy hotdog hotrod hotsex hotstuff hottie house houses
  houston howard hudson hummer hungry hunter hunting hurrican husker huskers ibanez icecream iceman iforgot igor iguana ihateyou
  ilovesex iloveu iloveyou imagine immortal impala imperial incubus indian indiana indians indigo infantry inferno infiniti infinity
  insane inside integra internet intrepid ireland irina irish ironman isabel isabella isabelle island israel italia ivan ivanov iverson
  iwantu jack jackal jackass jackie jackoff jackson jacob jaguar jake jamaica james jamie jammer janice janine january japan jasmin
  jasmine jason jasper javier jazz jeep jeff jeffrey jennie jennifer jenny jeremiah jeremy jericho jerome jerry jersey jesse jessica
  jessie jester jesus jethro jimbo jimbob jimmy joanna joanne joejoe joey john johnjohn johnny johnson joker jonathan jones jordan
  joseph josh joshua jrcfyf juan judith juice julia julian julie juliet jumper jungle junior jupiter justdoit justice justin justme
  juventus kaiser kaktus kangaroo kansas karate karen karina kasper katana katerina kathleen katie katrin katrina kawasaki keeper keith
  kelley kelly kelsey kennedy kenneth kenny kentucky kenwood kermit kevin keyboard keystone kicker killer kimberly king kingdom
  kingkong kingpin kingston kirill kiss kisses kissme kitkat kitten kitty kittycat klaster knicks knight knights kodiak kolobok kotenok
  kramer krishna kristen kristi kristin kristina kyle labrador labtec lacrosse ladies lady ladybug laguna lakers lancelot lancer laptop
  larisa larry lasvegas latin latino laura lauren laurie lawrence lawyer leader leather ledzep legacy legend legion legolas lemons
  lennon leonard leonardo leopard lesbian lesbians leslie lespaul lestat lester letmein letsgo lexmark liberty lick licker lickme life
  lifehack light lightnin lights lincoln linda lindsay lindsey liquid lisa little liverpoo liverpool lizard lizzie lobster logan
  logitech lolita lollipop lollol london lonely lonestar lonewolf long longhorn looker looking lorenzo lorraine loser louise loulou
  love loveit lovelove lovely loveme lover loverboy lovers loveyou loving lowrider lucas lucifer lucky luckydog lucy ludwig luke luther
  lvbnhbq machine madden maddie maddog madison madman madmax madness madonna madrid maestro maggie magic magnolia magnum magnus maiden
  mailcreated makaveli maksim malcolm malibu mallard manager manchester mandingo mandy maniac manson manuel manutd marathon marcel
  marco marcus margaret margarita maria mariah marian marie marilyn marina marine mariners marines marino mario marion mark markus
  marlboro marley marlin marshall martha martin martina martinez martini marvel marvin mary maryjane maryland mason massive master
  masters matilda matrix matt matthew mature maurice maverick maxima maximus maxine maxmax maxwell maynard megadeth megaman megan
  melanie melinda melissa melody melvin member memphis mercedes mercury meridian merlin mersedes metal metallic metallica method mexico
  miami michael michel michele michelle michigan mickey microsoft midnight miguel mike mikey milano miles miller millie million milton
  mine minecraft minnie mirage miranda mission missy mister mistress misty mitchell mobile mollie molly moloko molson momoney monday
  money moneys mongoose monica monika monique monitor monkey monkeys monopoly monroe monster montana montreal moocow mookie moomoo moon
  moose morgan morpheus morris morrison moscow motdepasse mother motorola mountain mouse movie mozart muffin mulder munchkin muppet
  murphy murray muscle mushroom music musicman mustang mustangs mylove mypass myself mystery mystic nadine naked napass napoleon naruto
  nascar nasty nastya natali natalia natalie natasha nathalie nathan national naughty nebraska nellie nelson nemesis neptune network
  nevada newlife newman newpass newport newton newyork nfnmzyf nicholas nick nicola nicolas nicole nigger night nikita nikki nimrod
  niners ninja nintendo nipple nipples nirvana nissan nofear nokia nolimit none noodles nookie nopass norman norton nothing november
  nugget nuttertools nylons nymets oakland oakley obiwan oblivion october odessa office ohyeah oicu oilers oklahoma oksana oldman olga
  oliver olivia omega onelove online open openup oracle orange orion orlando oscar osiris outlaw overlord oxford pacific packard
  packers pacman painter pakistan palace paladin palmer pamela panama panasonic pancho panda pandora pantera panther panthers panties
  panzer paradise paradox paris parker parola parrot party pascal pass passat passion passphrase passport passwor password passwort
  patches patricia patrick patriot patriots patton paul pauline pavilion payton peace peaches peanut peanuts pearljam pebbles peekaboo
  peewee pegasus pencil penelope penguin penguins penis penny pentium people pepper pepsi perfect personal pervert pete peter peterpan
  peugeot phantom philip philips phillies phillip philly phoebe phoenix photo photos phpbb picard picasso pickle pickles pics picture
  pierre piglet pikachu pimp pimpin pineappl ping pink pinkfloy pioneer pirate pirates pistol pitbull pizza planet plastic platinum
  playboy player playtime please pleasure plumber plymouth poison pokemon polaris police polina polo pontiac pooh poohbear pookie poop
  pooper poopie poopoo popcorn popeye porkchop porn porno pornstar porsche porter portland portugal possum postal potato potter powder
  power powers precious predator prelude presario preston pretty primus prince princes princess printer private privet prodigy psycho
  pumpkin punisher punkin punkrock puppies puppy purple pussies pussy pussycat pussys putter pyramid python qawsed qawsedrf qazqaz
  qazwsx qazwsxed qazwsxedc qazxsw qazxswedc quality queen qwaszx qweasd qweasdzxc qweqwe qwer qwerasdf qwert qwerty qwertyu qwertyui
  qwertyuio qwertyuiop qwertz rabbit racecar racerx rachel racing rafael ragnarok raider raiders rainbow raistlin rammstein ramona
  randall random randy ranger rangers raptor rascal rasdzv raven ravens raymond razz rbhbkk reality reaper rebecca rebels redalert
  redbull reddog redhead redman redneck redrum redskins redsox redwings reggie regina remember renegade rescue research review rfnthbyf
  rfrfirf rhbcnbyf rhonda ricardo richard richie richmond rick ripper river rjntyjr robbie robert roberto roberts robin robinson rock
  rocker rocket rockon rocks rockstar rocky rodney roger rogers roland roller rolltide roman romashka romeo rommel ronald ronaldo
  ronnie rookie rooster rootbeer roscoe rose rosebud rosemary roxanne rubber rulez runner rush ruslan russell russia russian rusty ryan
  sabbath sabina sabine sabrina sadie safety sailboat sailing sailor saints sakura sally salmon samantha sammie sammy sampson samson
  samsung samuel samurai sanchez sandiego sandman sandra sandy santiago santos sapphire sara sarah sasha satan saturn savage savannah
  scarface scarlet scarlett school scooby scoobydo scooter scorpio scorpion scotland scott scotty scrappy scream scruffy scully search
  seattle sebastia sebastian secret security seinfeld select seminole semperfi senha septembe september serega serena serenity sergei
  sergey sergio server service sesame seven sexsex sexual sexy shadow shaggy shalom shaman shamrock shane shaney shannon shaolin shark
  sharks sharon shasta shaved shazam sheena sheila shelby shelley shelly shemale sherlock sherman sherry shiloh shirley shit shithead
  shitty shogun shooter shopping short shorty shotgun showme showtime sidney siemens sierra silver silvia simba simon simone simple
  simpson simpsons singer single sinner sirius sister sithlord skater skeeter skiing skipper skippy skittles skyline skywalke slappy
  slapshot slayer sleepy slick slipknot slut sluts smile smiles smiley smith smitty smoke smoker smokey smokin smooth smudge snake
  snakes snapper snatch snickers sniper snoopy snow snowball snowman snuggles sobaka soccer socrates softball software soldier soleil
  solomon sommer sooner sooners sophia sophie southern space spanking spankme spanky sparky spartak spartan spartans speaker special
  spectrum speed speedy spencer spider spiderma spiderman spidey spike spirit spitfire splash spooky sports spring springer sprint
  sprite spunky spyder squirrel squirt srinivas stacey stalker stallion standard stanley star starbuck starcraft stardust starfish
  stargate stars startrek starwars stealth steelers stefan stella stephani stephanie stephen sterling steve steven stevie stewart stick
  sticky stimpy stinger stingray stinky stocking stone stonecol stoner stones storm stormy stranger street strider strike striker
  stripper strong stuart stud student studio stuff stupid subaru sublime success suck sucker suckit suckme sucks sugar summer sundance
  sunday sunny sunrise sunset sunshine super superfly superman support surfer surfing susan suzanne suzuki svetik svetlana swallow
  sweet sweetie sweetpea sweets sweety swimming swinger swingers swordfis swordfish sydney sylvia syracuse system tacobell tacoma
  tamara tanker tanner tanya tardis target tarheel tarheels tarzan tatiana tattoo tatyana taurus taylor tazman tdutybq teacher technics
  techno teddy teen teens telefon tempest temple tennis tequila teresa terminator terror terry test tester testing testtest texas
  thailand thanks thankyou thegame theking theman theone therock thomas thompson throat thuglife thumper thunder tickle tiffany tiger
  tigers tigger timber time timmy timothy tina tinker tintin titanic titans titleist tits tobias today tomcat tommy tomtom tony topcat
  topdog topgun topper tornado toronto toshiba tottenha toyota tracey tractor trains trance transam travel travis trebor trevor
  trfnthbyf tricky trigger trinity tristan triton triumph trixie trojan trojans trombone trooper trouble truck trucker trucks trumpet
  trunks trustno tucker tuesday turbo turkey turner turtle tweety twilight twister tyler tyrone ultimate unicorn united unknown unreal
  usuckballz vacation vader vagina valentin valentina valera valerie valhalla valley vampire vanessa vanhalen vanilla vectra vegeta
  velvet verbatim veritas veronica veronika vertigo vette vfhbyf vfhecz vfrcbv vfrcbvrf vfvjxrf victor victoria victory video viking
  vikings viktor viktoria vincent violet viper vipers virgin virginia vision vivian vkontakte vladik vladimir volume voodoo voyager
  vulcan walker wallace walnut walter wanker warcraft warlock warren warrior warriors water waterloo waters watson wayne weasel weather
  webmaster webster weed weezer welcome werewolf wesley western westham westside wetpussy whatever wheels whiskey white whitney
  whocares whore whynot wicked wildcat wildcats william williams willie willis willow willy wilson window windows winner winnie winston
  winter wisdom wizard wolf wolfgang wolfman wolfpack wolverin wolverine wolves wombat women wonder woody wookie wordpass world
  wrangler wright wrinkle writer wutang xanadu xavier xfiles yamaha yankee yankees ybrbnf yellow yfnfif yomama young yourmom yvonne
  zachary zaqwsx zeppelin zidane zipper zombie zvezda zxcv zxcvbn zxcvbnm
`);
