console.log('not declared')
